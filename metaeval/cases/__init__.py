"""How cases are made and kept."""
