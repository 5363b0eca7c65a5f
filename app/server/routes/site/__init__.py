"""Routes that belong to no single table."""
