"""Access control: connections, certificates, and checks of every request."""
