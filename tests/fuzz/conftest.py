"""The fuzzer is a package of its own, ``fuzz``, whether tests or ``python -m tests.fuzz.long`` run it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))
