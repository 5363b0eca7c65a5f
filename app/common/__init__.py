"""Shared by all of the product: errors, storage, materials, the terminal."""
