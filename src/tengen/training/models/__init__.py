"""Models fitted to games, the trainer, and its checkpoints.

Gradients and optimisers are those of JAX and Optax, the extra ``train``.
"""

from tengen.game.errors import TengenError

try:
    import jax as _jax  # noqa: F401
    import optax as _optax  # noqa: F401
except ImportError as error:
    raise TengenError("error.train.extra") from error
