"""Code in a normal form: two texts that mean the same to Python become equal strings.

Formatting, comments, quotes and redundant parentheses vanish with the parse;
annotations and bare strings are dropped here, since nothing runs for them.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from difflib import SequenceMatcher

_ANNOTATIONS = frozenset({"annotation", "returns", "type_comment", "type_params"})


def normal(node: ast.AST, *, skip: Collection[int] = (), in_class: bool = False) -> str:
    """The normal form of a node; nodes whose ``id`` is in ``skip`` become a hole.

    A string alone is the empty form.  In a class body the annotation of a
    field counts where it contains a call: it is then read at run time.
    """
    if is_string(node):
        return ""
    if isinstance(node, ast.AnnAssign) and not in_class:
        if node.value is None:
            return ""
        return f"Assign([{_dump(node.target, skip)}],{_dump(node.value, skip)})"
    form = _dump(node, skip)
    if isinstance(node, ast.AnnAssign) and _calls(node.annotation):
        form += _dump(node.annotation, skip)
    return form


def is_string(node: ast.AST) -> bool:
    """True for a string that stands alone, such as a docstring."""
    value = node.value if isinstance(node, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def is_alike(matcher: SequenceMatcher[str], least: float) -> bool:
    """Whether two forms are at least so alike. The cheap upper bounds come first."""
    ratios = (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio)
    return all(ratio() >= least for ratio in ratios)


def _dump(value: object, skip: Collection[int]) -> str:
    # Plain loops, no generators: deep trees then recurse in Python only, not on the C stack.
    if isinstance(value, list):
        # A hole in a list (an operand, a condition) vanishes: one more is a change of its own.
        items = [_dump(item, skip) for item in value if id(item) not in skip]
        return "[" + ",".join(items) + "]"
    if not isinstance(value, ast.AST):
        return repr(value)
    if id(value) in skip:
        return "_"
    parts = [_dump(getattr(value, name, None), skip) for name in _read_fields(value)]
    return f"{type(value).__name__}({','.join(parts)})"


def _read_fields(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Assign):
        return ["targets", "value"]
    return [name for name in node._fields if name not in _ANNOTATIONS and name != "ctx"]


def _calls(node: ast.AST) -> bool:
    return any(isinstance(inner, ast.Call) for inner in ast.walk(node))
