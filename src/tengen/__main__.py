"""``python -m tengen`` is the command ``tengen``."""

import sys

from tengen.cli import main

sys.exit(main())
