"""Definitions that appeared, vanished or changed their name."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher

from pathcheck.change.model import MODULE_SYMBOL
from pathcheck.change.source import Source
from pathcheck.change.units import Definition, Scope

#: A definition whose body is at least this alike kept its body under a new name.
RENAMED = 0.7


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
    free = list(come)
    for old in gone:
        for new in free:
            if _same_place(old, new, found) and _same_body(old.body_form, new.body_form):
                found[old.symbol] = new.symbol
                free.remove(new)
                break
    return found


def _same_place(old: Scope, new: Scope, known: Mapping[str, str]) -> bool:
    before = old.parent.symbol if old.parent else MODULE_SYMBOL
    after = new.parent.symbol if new.parent else MODULE_SYMBOL
    return old.is_class == new.is_class and known.get(before, before) == after


def _same_body(old: str, new: str) -> bool:
    if old == new:
        return bool(old)
    if min(len(old), len(new)) < 40 or max(len(old), len(new)) > 4_000:
        return False
    return SequenceMatcher(None, old, new, autojunk=False).ratio() >= RENAMED
