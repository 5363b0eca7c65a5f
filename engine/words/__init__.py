"""Words: which are valid, which share a root, and which a play forms."""
