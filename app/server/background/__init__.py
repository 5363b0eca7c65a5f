"""What a server does beside answering calls: cameras, films, clocks, news for open pages."""
