"""Routes about what a table's cameras see."""
