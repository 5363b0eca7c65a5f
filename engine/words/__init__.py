"""Words: which are good, which share a root, which a play forms."""
