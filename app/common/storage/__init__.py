"""Where tables are kept for good: a database, its format, and what goes again."""
