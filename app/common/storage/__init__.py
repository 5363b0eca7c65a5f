"""Persistent storage of tables: the database, its format, and deletion."""
