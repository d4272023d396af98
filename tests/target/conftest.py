"""Tests of ``target`` that need no SGLang analyse small programs, as the engine's own do."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "flow"))
