"""The documentation as a site: guides, references and an app to try, in English and Chinese.

``make docs`` writes it to build/documentation/site. The guides are the pages in docs/; the references are
generated from the package itself. Zensical, the successor of Material for MkDocs by the same people, makes
pages of them, with mkdocstrings for the library. Its warnings are errors, and so are a link that leads
nowhere and anything that a page would load from another host.
"""
