"""The border to a measure's code: workers, calls, faults, budgets."""
