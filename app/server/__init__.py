"""The server: application, routes, wire shapes, security."""
