"""GrabScrab (rules GS-1 to GS-21)."""
