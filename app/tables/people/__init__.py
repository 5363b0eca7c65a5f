"""Who takes part: places and their links, seats, pairings, and what each may do."""
