"""The evidence: certificates, results and baselines as data, compared and put into words."""
