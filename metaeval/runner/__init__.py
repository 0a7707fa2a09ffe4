"""A plan carried out: jobs in, events out."""
