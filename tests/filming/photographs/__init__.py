"""Path-traced photographs of whole games, for the bundled demonstrations."""
