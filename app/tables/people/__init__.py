"""People at a table: places and links, seats, pairings, and rights."""
