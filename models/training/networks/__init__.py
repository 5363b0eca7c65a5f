"""The networks: their layers, their training, and their files."""
