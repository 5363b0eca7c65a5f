"""Who is let in, and over what: connections, certificates, what requests must pass."""
