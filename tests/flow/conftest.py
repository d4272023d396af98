"""The engine's tests analyse small programs: ``analyse(source)`` runs one (see ``small_programs.py``)."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
