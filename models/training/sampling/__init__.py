"""Training samples: drawn boards, tiles and loose tiles, cut out as at run time."""
