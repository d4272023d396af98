"""Definitions that appeared, vanished or changed their name."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from pathcheck.change.model import MODULE_SYMBOL
from pathcheck.change.normal import is_alike
from pathcheck.change.source import Source
from pathcheck.change.units import Definition, Scope

#: A definition whose body is at least this alike kept its body under a new name.
RENAMED = 0.7
#: Longer bodies are the same or not: likeness costs the square.
_COMPARED = 4_000


def symbols(source: Source | None) -> Counter[str]:
    """How often each dotted name is defined in a file."""
    return Counter(_names(source.tree.body, "")) if source else Counter()


def _names(statements: Sequence[ast.AST], prefix: str) -> Iterator[str]:
    stack = [(statement, prefix) for statement in reversed(statements)]
    while stack:
        node, around = stack.pop()
        if isinstance(node, Definition):
            around += node.name
            yield around
            around += "."
        if isinstance(node, ast.expr):
            continue
        stack += [(child, around) for child in ast.iter_child_nodes(node)]


def only_in(scopes: Sequence[Scope], here: Counter[str], there: Counter[str]) -> list[Scope]:
    """Scopes whose name is defined more often on this side than on the other."""
    return [scope for scope in scopes if here[scope.symbol] > there[scope.symbol]]


def renames(gone: Sequence[Scope], come: Sequence[Scope]) -> dict[str, str]:
    """Old name to new name, where one place's definition kept its body."""
    found: dict[str, str] = {}
    free = [(scope, scope.body_form) for scope in come]
    for old in gone:
        same = _Same(old.body_form)
        for candidate in free:
            new, form = candidate
            if _same_place(old, new, found) and same.body(form):
                found[old.symbol] = new.symbol
                free.remove(candidate)
                break
    return found


def _same_place(old: Scope, new: Scope, known: Mapping[str, str]) -> bool:
    before = old.parent.symbol if old.parent else MODULE_SYMBOL
    after = new.parent.symbol if new.parent else MODULE_SYMBOL
    return old.is_class == new.is_class and known.get(before, before) == after


class _Same:
    """Compares one body with many: difflib keeps what it learns of its second text."""

    def __init__(self, form: str) -> None:
        self.form = form
        self.matcher = SequenceMatcher(None, "", form, autojunk=False) if len(form) <= _COMPARED else None

    def body(self, other: str) -> bool:
        """Whether the other form is alike."""
        if self.form == other:
            return bool(other)
        if self.matcher is None or min(len(self.form), len(other)) < 40 or len(other) > _COMPARED:
            return False
        self.matcher.set_seq1(other)
        return is_alike(self.matcher, RENAMED)
