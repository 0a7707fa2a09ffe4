"""What publications and documentation say of measures and conditions: plain data, one file a source."""
