"""The heap: flow-insensitive cells that remember who read them and who wrote them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathcheck.flow.context import Context
    from pathcheck.flow.values import Value


class Cell:
    """One attribute, global, element or closure variable.

    ``foreign`` is the part of the value not written by a constructor on its own
    object; ``definite`` says that construction always sets it, ``removed`` that
    a ``del`` may have taken it away again, or that another key may have been
    put in instead, so that it is definite no more.
    """

    __slots__ = ("definite", "foreign", "readers", "removed", "value", "writes")

    def __init__(self, bottom: Value) -> None:
        self.value = bottom
        self.foreign = bottom
        self.readers: dict[Context, None] = {}
        #: (context's function code, unit) of each write that ran -> what it wrote
        self.writes: dict[tuple[Any, int], Value] = {}
        self.definite = self.removed = False


#: Field names of container objects that no attribute can have.
ELEMENT = "[]"  # elements at unknown positions, dict values under unknown keys
KEYS = "[keys]"  # keys of a dict
LENGTH = "[len]"  # length of a list
ANY = "[any]"  # what is stored in an object under unknown names
FIELDS = "[fields]"  # grows with each new attribute, for readers that list them
CONTENTS = "[contents]"  # program objects put into a third-party object
KEPT = "[kept]"  # what a third-party object calls once it is run: the handlers of a web application
STAR = "[star]"  # the third-party modules that a module has imported all names of
