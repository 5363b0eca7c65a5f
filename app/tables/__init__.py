"""Live games: a table, its steps, records, exports, set-up and access."""
