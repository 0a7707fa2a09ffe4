"""What measures and conditions are, and how they are found by id."""
