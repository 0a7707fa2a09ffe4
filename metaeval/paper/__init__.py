"""What a source says, held against what is found: its tables recomputed, its slips, the fate of its claims."""
