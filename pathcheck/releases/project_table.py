"""A wheel's metadata as the ``pyproject.toml`` it was built from, as far as it says."""

from __future__ import annotations

import json
import re
from email.parser import HeaderParser

#: ``extra == "name"``, the marker by which a wheel says a requirement is optional.
_EXTRA = re.compile(r"""\s*(?:\band\b\s*)?\(?\s*extra\s*==\s*(['"])([^'"]+)\1\s*\)?""")


def project_table(metadata: str) -> str:
    """TOML with a ``[project]`` table: name, version, Python, dependencies, extras."""
    headers = HeaderParser().parsestr(metadata)
    required, optional = _requirements(headers.get_all("Requires-Dist") or [])
    lines = ["[project]"]
    for key, header in (("name", "Name"), ("version", "Version"), ("requires-python", "Requires-Python")):
        if headers[header]:
            lines.append(f"{key} = {_string(str(headers[header]))}")
    lines.append(f"dependencies = {_array(required)}")
    if optional:
        lines += ["", "[project.optional-dependencies]"]
        lines += [f"{_string(extra)} = {_array(optional[extra])}" for extra in sorted(optional)]
    return "\n".join(lines) + "\n"


def _requirements(listed: list[str]) -> tuple[list[str], dict[str, list[str]]]:
    """Requirements that always hold, and those of each extra, in the wheel's order."""
    required: list[str] = []
    optional: dict[str, list[str]] = {}
    for text in listed:
        name, _, marker = (part.strip() for part in text.partition(";"))
        extra = _EXTRA.search(marker)
        rest = re.sub(r"^and\b", "", _EXTRA.sub("", marker, count=1).strip()).strip()
        requirement = f"{name}; {rest}" if rest else name
        if extra:
            optional.setdefault(extra[2], []).append(requirement)
        else:
            required.append(requirement)
    return required, optional


def _array(items: list[str]) -> str:
    return "[" + "".join(f"\n    {_string(item)}," for item in items) + ("\n]" if items else "]")


def _string(text: str) -> str:
    # JSON's escapes are a subset of TOML's, except for DEL.
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
