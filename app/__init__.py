"""The product: command line, server, cameras, live tables, readings, and the page."""
