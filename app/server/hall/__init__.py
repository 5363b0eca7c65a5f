"""Several servers on one database: their director, the tables that each runs, calls passed on."""
