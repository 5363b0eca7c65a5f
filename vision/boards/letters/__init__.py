"""Which letter a tile shows: closer looks, marks, the other tiles of its set, taught looks."""
