"""What `import kibitz` offers to programs; the command line calls the same."""
