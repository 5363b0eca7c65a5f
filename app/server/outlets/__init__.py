"""Where events go: other programs, files, webhooks, brokers."""
