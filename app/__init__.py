"""The composition root: settings, wiring and the command line."""

import time


BEGUN = time.monotonic()
"""When this process began to import us: what `up` counts its seconds from."""
