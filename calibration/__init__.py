"""Calibration: places of boards, lattices, lens distortion."""
