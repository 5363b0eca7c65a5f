"""The calls about what a table's cameras see."""
