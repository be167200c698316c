"""Models fitted to games, the trainer, and its checkpoints.

Gradients come from JAX, optimisers from Optax, plots of the reports from matplotlib: the extra ``train``.
"""

from tengen.extras import importing

with importing("train"):  # before any game is played
    import jax as _jax  # noqa: F401
    import matplotlib as _matplotlib  # noqa: F401
    import optax as _optax  # noqa: F401
