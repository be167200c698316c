"""Batches of one shape: for each other one, JAX would compile a model anew, which takes seconds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="package", autouse=True)
def _one_shape() -> Iterator[None]:
    """Pad batches to more than any of the few games that are played for tests needs."""
    from tengen.training.models import arrays

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(arrays, "_LEAST_BUCKET", 4096)
        yield
