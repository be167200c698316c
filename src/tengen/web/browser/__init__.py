"""The app in the page itself, without a server."""
