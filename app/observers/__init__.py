"""From readings to the tracker: one observer for each kind of surface."""
