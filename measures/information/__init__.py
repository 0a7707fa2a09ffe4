"""Measures of information: what one side tells about the other, in logarithms."""
