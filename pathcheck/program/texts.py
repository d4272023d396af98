"""How a unit reads in a report: its own source on one line."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Sequence

from pathcheck.program import ir
from pathcheck.program.ir import Unit

_HEAD = re.compile(rb"\s*(async\s+def|def|class)\b")
#: Line ends that need no space in their place: after an opening bracket, before a closing one.
_OPENED = re.compile(r"([(\[{])\s*\n\s*")
_CLOSED = re.compile(r"\s*\n\s*([)\]}])")
#: What may stand between an expression and the bracket that closes it.
_CLOSING = re.compile(rb"(?:\s|\\\n|#[^\n]*\n|,)*([)\]}])")


def guard_text(source_lines: Sequence[str], unit: Unit) -> str:
    """A unit as written, on one line: no colon, comments or decorators.

    ``source_lines`` are the file's lines, without their ends.  A part is the
    part alone: the ``b`` of ``a and b``.  "" for lines that the file lacks.
    """
    lines = [line.encode("utf-8", "surrogatepass") for line in source_lines[unit.line - 1 : unit.end_line]]
    if not lines:
        return ""
    below = source_lines[unit.end_line : unit.end_line + 20]
    rest = "\n".join(["", *below]).encode("utf-8", "surrogatepass")
    if unit.end_column >= 0:
        lines[-1], rest = lines[-1][: unit.end_column], lines[-1][unit.end_column :] + rest
    if unit.kind in (ir.KIND_FUNCTION, ir.KIND_CLASS):
        while len(lines) > 1 and not _HEAD.match(lines[0]):
            del lines[0]
    elif unit.arm != "case":  # the keyword of a case stands before its pattern
        lines[0] = lines[0][unit.column :]
    text = _closed(b"\n".join(lines), rest).decode("utf-8", "replace")
    text = _CLOSED.sub(r"\1", _OPENED.sub(r"\1", _uncommented(text).replace("\\\n", "\n")))
    return " ".join(text.split()).removesuffix(":")


def _closed(text: bytes, rest: bytes) -> bytes:
    """``text`` with the brackets that it opens: ``ast`` leaves those around an expression out."""
    missing = sum(text.count(c) for c in (b"(", b"[", b"{")) - sum(text.count(c) for c in (b")", b"]", b"}"))
    while missing > 0 and (found := _CLOSING.match(rest)):
        text, rest, missing = text + found[1], rest[found.end() :], missing - 1
    return text


def _uncommented(text: str) -> str:
    if "#" not in text:
        return text
    lines = text.split("\n")
    try:
        # In brackets, so that line ends and indentation mean nothing.
        for token in tokenize.generate_tokens(io.StringIO("(\n" + text + "\n)").readline):
            if token.type == tokenize.COMMENT:
                row = token.start[0] - 2
                lines[row] = lines[row][: token.start[1]]
    except (tokenize.TokenError, SyntaxError, IndexError):
        return text
    return "\n".join(lines)
