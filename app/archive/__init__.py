"""Archives: many photographed games replayed at once, with tables, pages and statistics of all."""
