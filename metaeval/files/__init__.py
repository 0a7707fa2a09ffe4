"""All files that are read or written."""
