"""What `import kibitz` offers to programs; the commands `read` and `replay` call the same."""
