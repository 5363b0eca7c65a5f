"""A photograph or a frame in, a reading and its JSON out."""
