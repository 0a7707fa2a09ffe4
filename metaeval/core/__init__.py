"""The nouns that everything else is made of: biclusterings, cases, relations, verdicts, settings."""
