"""Drafts become changes: stable ids, parents by id, moved code, one order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pathcheck.change.draft import Draft
from pathcheck.change.model import Change, FileDiff, Origin
from pathcheck.change.moves import Moves, find_moves

Drafted = tuple[FileDiff, Sequence[Draft]]


def finish(files: Sequence[Drafted]) -> tuple[Change, ...]:
    """Give each draft its id and return all changes in order.

    An id depends on the code and where it stands by name, not on line numbers:
    the same change keeps its id when lines above it move.
    """
    ids = _ids(files)
    moves = find_moves([(_file(diff, draft), draft) for diff, drafts in files for draft in drafts])
    changes = [_change(diff, draft, ids, moves) for diff, drafts in files for draft in drafts]
    return tuple(sorted(changes, key=_order))


def _order(change: Change) -> tuple[str, int, int, str, str]:
    # The whole before its parts: a parent has the same first line and a later last one.
    return (change.file, change.lines[0], -change.lines[1], change.side, change.id)


def _ids(files: Sequence[Drafted]) -> dict[int, str]:
    seen: dict[str, int] = {}
    ids: dict[int, str] = {}
    for diff, drafts in files:
        for draft in sorted(drafts, key=lambda d: (d.lines, d.side)):
            digest = _digest(_file(diff, draft), draft)
            seen[digest] = seen.get(digest, 0) + 1
            ids[id(draft)] = digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"
    return ids


def _digest(file: str, draft: Draft) -> str:
    parts = (file, draft.side, draft.kind, draft.symbol, *draft.guards, draft.form)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogateescape")).hexdigest()[:12]


def _file(diff: FileDiff, draft: Draft) -> str:
    path = diff.old_path if draft.side == "base" else diff.new_path
    return path or diff.old_path or diff.new_path or ""


def _change(diff: FileDiff, draft: Draft, ids: dict[int, str], moves: Moves) -> Change:
    return Change(
        id=ids[id(draft)],
        parent=ids[id(draft.parent)] if draft.parent else None,
        file=_file(diff, draft),
        old_file=diff.old_path if diff.old_path != diff.new_path else None,
        side=draft.side,
        lines=draft.lines,
        symbol=draft.symbol,
        kind=draft.kind,
        guards=draft.guards,
        commit=draft.commit,
        ask=draft.ask,
        columns=draft.columns,
        moved_from=_origin(moves.origin.get(id(draft))),
        moved_to=_origin(moves.target.get(id(draft))),
    )


def _origin(found: tuple[str, Draft] | None) -> Origin | None:
    return Origin(found[0], found[1].lines, found[1].symbol) if found else None
