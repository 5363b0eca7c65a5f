"""Pictures one after another: series, motion, reduced decoding."""
