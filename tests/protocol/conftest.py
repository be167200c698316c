"""The native program of the Gomocup protocol."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from filelock import FileLock

from tengen.engine.kernels.library import host
from tengen.protocol.bundle import NAME, write_bundle


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Path:
    """The folder of the native program for this machine, built once; or that of ``TENGEN_BUNDLE``."""
    if given := os.environ.get("TENGEN_BUNDLE"):
        return Path(given)
    base = tmp_path_factory.getbasetemp()
    folder = (base if worker_id == "master" else base.parent) / "bundle"
    with FileLock(f"{folder}.lock"):
        if not (folder / NAME).exists():
            write_bundle(folder, ["-".join(host())])
    return folder


@pytest.fixture(scope="session")
def native_program(bundle: Path) -> str:
    """The native program."""
    return str(bundle / NAME)
