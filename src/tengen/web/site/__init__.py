"""The whole app as files for any static host: `tengen site` writes them, and serves them to look at.

In the page the same Python runs as in a server, in a web worker (`tengen.web.browser`).
"""
