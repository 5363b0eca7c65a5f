"""Live games: a table with its steps, records, exports, setup and access."""
