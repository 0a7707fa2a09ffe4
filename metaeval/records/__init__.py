"""What is published, as typed records."""
