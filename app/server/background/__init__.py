"""Background work of a server: cameras, films, clocks, updates of open pages."""
