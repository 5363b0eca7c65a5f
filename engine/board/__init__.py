"""What holds on any board: premium squares, names of squares, connection, points, plays."""
