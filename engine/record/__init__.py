"""Record of a game: ledger, corrections, positions, GCG."""
