"""From cases to a verdict: the gate, the search, climbs, reduction."""
