"""Makes a failing program small: takes statements away as long as the same kind of failure stays."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

from .program import Program

_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def shrink(program: Program, fails: Callable[[Program], bool], tries: int = 1500) -> Program:
    """A smaller program for which ``fails`` still holds."""
    left = [tries]
    while left[0] > 0:
        smaller = next((p for p in _smaller(program) if left[0] > 0 and _try(p, fails, left)), None)
        if smaller is None:
            break
        program = smaller
    return program


def _try(program: Program, fails: Callable[[Program], bool], left: list[int]) -> bool:
    left[0] -= 1
    try:
        for source in program.files.values():
            compile(source, "<shrunk>", "exec")
    except SyntaxError:
        return False
    return fails(program)


def _smaller(program: Program) -> Iterator[Program]:
    for path, source in program.files.items():
        if path != "main.py":
            yield Program({p: s for p, s in program.files.items() if p != path})
        tree = ast.parse(source)
        count = sum(1 for _ in _places(tree))
        size = max(count // 2, 1)
        while size:
            for start in reversed(range(0, count, size)):
                made = _without(tree, range(start, start + size))
                if made is not None:
                    yield Program({**program.files, path: made})
            size //= 2
        for index in range(count):
            made = _hoisted(tree, index)
            if made is not None:
                yield Program({**program.files, path: made})
        yield from (Program({**program.files, path: made}) for made in _simpler(tree))


def _places(tree: ast.AST) -> Iterator[tuple[list[ast.AST], ast.AST]]:
    for node in ast.walk(tree):
        for name in _BLOCKS:
            block = getattr(node, name, None)
            if isinstance(block, list):
                for child in block:
                    yield block, child


def _finished(tree: ast.AST, before: str) -> str | None:
    for node in ast.walk(tree):
        if (
            isinstance(getattr(node, "body", None), list)
            and not node.body
            and not isinstance(node, ast.Module)
        ):  # type: ignore[attr-defined]
            node.body.append(ast.Pass())  # type: ignore[attr-defined]
        if isinstance(node, ast.Try) and not node.handlers and not node.finalbody:
            node.finalbody.append(ast.Pass())
    made = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    return made if len(made) < len(before) else None


def _without(tree: ast.Module, indices: range) -> str | None:
    made = copy.deepcopy(tree)
    for index, (block, child) in enumerate(list(_places(made))):
        if index in indices and child in block:
            block.remove(child)
    return _finished(made, ast.unparse(tree) + "\n")


def _hoisted(tree: ast.Module, index: int) -> str | None:
    """A compound statement replaced by its body."""
    made = copy.deepcopy(tree)
    block, child = list(_places(made))[index]
    if not isinstance(child, ast.If | ast.For | ast.While | ast.With | ast.Try):
        return None
    at = block.index(child)
    block[at : at + 1] = child.body
    return _finished(made, ast.unparse(tree) + "\n")


def _simpler(tree: ast.Module) -> Iterator[str]:
    """Expressions replaced by their own operands, or by 1."""
    count = sum(isinstance(n, ast.expr) for n in ast.walk(tree))
    before = ast.unparse(tree) + "\n"
    for index in range(count):
        options = 1 + _parts(_nth(tree, index))
        for option in range(options):
            made = copy.deepcopy(tree)
            target = _nth(made, index)
            parts = [n for n in ast.iter_child_nodes(target) if isinstance(n, ast.expr)]
            new = parts[option] if option < len(parts) else ast.Constant(1)
            if isinstance(getattr(target, "ctx", None), ast.Store | ast.Del) or len(ast.unparse(target)) < 2:
                continue
            _replace(made, target, new)
            text = _finished(made, before)
            if text is not None:
                yield text


def _nth(tree: ast.AST, index: int) -> ast.expr:
    return [n for n in ast.walk(tree) if isinstance(n, ast.expr)][index]


def _parts(node: ast.AST) -> int:
    return sum(isinstance(n, ast.expr) for n in ast.iter_child_nodes(node))


def _replace(tree: ast.AST, old: ast.expr, new: ast.expr) -> None:
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list) and old in value:
                value[value.index(old)] = new
