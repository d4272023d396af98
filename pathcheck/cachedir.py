"""Where pathcheck keeps what it can rebuild: the only place it writes unasked."""

from __future__ import annotations

import os
from pathlib import Path


def cache_root() -> Path:
    """The cache directory; it need not exist yet.

    ``$PATHCHECK_CACHE`` where it is set, else ``pathcheck`` under the XDG cache
    directory.  A relative ``$XDG_CACHE_HOME`` is ignored, as its specification asks.
    """
    chosen = os.environ.get("PATHCHECK_CACHE")
    if chosen:
        return Path(chosen).expanduser().absolute()
    xdg = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (xdg if xdg.is_absolute() else Path.home() / ".cache") / "pathcheck"
