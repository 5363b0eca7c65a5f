"""What every room of the product uses: errors, storage, materials, the terminal."""
