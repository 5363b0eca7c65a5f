"""Letters of tiles: closer looks, marks, comparison within a set, taught tiles."""
