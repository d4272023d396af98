"""Moved code: equal code that left one place of the range and appeared at another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from pathcheck.change.draft import Draft

#: Shorter forms (``return None``) are equal by chance.
SHORTEST = 60

Placed = tuple[str, Draft]


@dataclass(slots=True)
class Moves:
    """By ``id`` of a draft: where its code came from, and where it went."""

    origin: dict[int, Placed] = field(default_factory=dict)
    target: dict[int, Placed] = field(default_factory=dict)


def find_moves(placed: Sequence[Placed]) -> Moves:
    """Pair removed with added code of equal normal form; the same file first."""
    moves = Moves()
    gone: dict[tuple[str, str], list[Placed]] = {}
    for file, draft in placed:
        if draft.side == "base" and _can_move(draft):
            gone.setdefault((draft.kind, draft.form), []).append((file, draft))
    for file, draft in placed:
        candidates = gone.get((draft.kind, draft.form), [])
        if draft.side == "head" and _can_move(draft) and candidates:
            chosen = min(candidates, key=lambda c: (c[0] != file, c[0], c[1].lines))
            candidates.remove(chosen)
            moves.origin[id(draft)] = chosen
            moves.target[id(chosen[1])] = (file, draft)
    return moves


def _can_move(draft: Draft) -> bool:
    return draft.kind != "comment" and not draft.altered and len(draft.form) >= SHORTEST
