"""The Python side of `web/static/browser/search_worker.js`: tasks of the page's workers."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

from tengen.executors.tasks import answer
from tengen.web.browser.kernels import StopFlag, install


def prepare(
    kernels: Any, parameters: Callable[[str], Any], helpers: int
) -> Callable[[Any, bool, Any], bytes]:
    """Prepare this worker, and return what runs a pickled task and pickles its answer.

    Args:
        kernels: the engine's kernels; see `tengen.web.browser.kernels`.
        parameters: returns the content of the file of parameters of a family of rules.
        helpers: the number of workers that help in an analysis.
    """
    install(kernels, lambda name: parameters(name).to_bytes())
    if helpers:
        from tengen.web.study.analyses import use_threads

        use_threads(1 + helpers)

    def run(packed: Any, hurried: bool, send: Any) -> bytes:
        stop = StopFlag(kernels.raised)
        if hurried:
            stop.set()
        listener = None if send is None else lambda report: send(pickle.dumps(report))
        return answer(packed.to_bytes(), stop, listener)

    return run
