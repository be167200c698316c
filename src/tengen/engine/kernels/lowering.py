"""The kind of machine that kernels are being lowered for, for intrinsics that have a form for it."""

from __future__ import annotations

for_webassembly = False
"""Whether it is WebAssembly; `tengen.engine.kernels.ahead.lower` sets it."""

POLL = "tengen_poll"
"""The function that a module of WebAssembly imports: without arguments, called now and then in a search."""
