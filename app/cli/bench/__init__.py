"""`kibitz bench`: measures this machine's speed at each part of the work."""
