"""What else may have happened on a board than one plain play."""
