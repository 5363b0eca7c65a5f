"""A table that is kept, for a command that works on one."""

from kibitz.app.face.kept import kept_tables, table_named

__all__ = ["kept_tables", "table_named"]
