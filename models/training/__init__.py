"""Training pictures and training runs; an extra that is never imported at run time."""
