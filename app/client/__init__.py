"""A client of a running server, for programs."""
