"""The calls that belong to no single table."""
