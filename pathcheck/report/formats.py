"""The formats by name."""

from __future__ import annotations

from pathcheck.report.base import Format
from pathcheck.report.json import JsonFormat
from pathcheck.report.text import TextFormat

FORMATS: dict[str, Format] = {"text": TextFormat(), "json": JsonFormat()}
