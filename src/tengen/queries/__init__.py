"""Queries of programs: their reading, their order, and the search that answers one.

`tengen.protocol.json_analysis` answers them on standard output, `tengen.web.study.query_socket` through a
WebSocket. The models are `tengen.schemas.queries`.
"""
