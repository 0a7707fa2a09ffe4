"""Published evidence judged again: certificates, proofs, baselines, outcomes."""
