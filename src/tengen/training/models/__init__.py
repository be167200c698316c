"""Models fitted to games, the trainer, and its checkpoints.

Gradients come from JAX, optimisers from Optax; both are installed by the extra ``train``.
"""

from tengen.game.errors import TengenError

try:
    import jax as _jax  # noqa: F401
    import optax as _optax  # noqa: F401
except ImportError as error:
    raise TengenError("error.train.extra") from error
