"""How much what the networks say counts: fits of the numbers that reading weighs it by."""
