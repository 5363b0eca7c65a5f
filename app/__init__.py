"""The product: command line, referee, storage, server and page."""
