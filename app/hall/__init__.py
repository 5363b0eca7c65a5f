"""A hall: several servers that share one PostgreSQL, with each table run by one of them."""
