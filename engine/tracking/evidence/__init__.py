"""What is believed of a table, and how much pictures and people count."""
