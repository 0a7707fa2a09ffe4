"""Measures of covered cells: how much of what one side covers the other covers too, or explains when matched."""
