"""Public Python API (`import kibitz`); the commands `read` and `replay` call the same code."""
