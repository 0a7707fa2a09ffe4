"""The paper: what it claims and prints, beside what is found."""
