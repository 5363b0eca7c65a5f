"""Several servers on one database: director, tables by server, forwarded calls."""
