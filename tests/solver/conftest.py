from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the tests of a module keep proofs."""
    return tmp_path_factory.mktemp("proofs")
