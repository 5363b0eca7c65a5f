"""What was done: ledger, corrections, positions, GCG."""
