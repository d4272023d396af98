"""Text of the analysed repository, made harmless before it meets a terminal.

Titles, file names and source lines are written by others: they may hold
escape codes, line breaks, marks that reverse the reading order, or markup.
Everything is wrapped in ``rich.text.Text``, which reads no markup; what does
not print is shown as an escape.
"""

from __future__ import annotations

import unicodedata

from rich.text import Text

_ELLIPSIS = "…"
#: Categories of characters that do not print, or change how others do.
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def plain(text: str, limit: int = 0) -> str:
    """The text on one line, each character that does not print as an escape."""
    # A line of a megabyte is cut before it is looked at, not after.
    cut = text[: limit * 2] if limit else text
    shown = "".join(_shown(character) for character in cut)
    if limit and (len(shown) > limit or len(cut) < len(text)):
        return shown[: limit - 1] + _ELLIPSIS
    return shown


def safe(text: str, style: str = "", limit: int = 0) -> Text:
    """The same as rich text in one style, without reading any markup."""
    return Text(plain(text, limit), style=style)


def _shown(character: str) -> str:
    if character == "\t":
        return " "
    if character.isascii() and character.isprintable():
        return character
    if unicodedata.category(character) in _UNPRINTABLE:
        return character.encode("unicode_escape", "surrogatepass").decode("ascii")
    return character
