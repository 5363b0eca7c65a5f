"""`kibitz bench`: how fast this machine is at each part of the work."""
