"""Training without JAX says in one line what to install."""

from __future__ import annotations

import subprocess
import sys

CODE = """
import sys
sys.modules["jax"] = None
from tengen import TengenError
try:
    import tengen.training.models.trainer
except TengenError as error:
    print(error)
"""


def test_what_is_missing_is_named():
    said = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True).stdout
    assert said == "training needs JAX and Optax: install them with pip install 'tengen[train]'\n"
