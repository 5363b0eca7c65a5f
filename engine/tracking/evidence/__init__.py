"""Evidence: what is known of a table, and how much pictures and people count."""
