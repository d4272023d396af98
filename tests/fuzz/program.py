"""A program to try: its files, and what the world outside may say to it."""

from __future__ import annotations

from dataclasses import dataclass, field

#: What the outside may say: integers of the module ``facts``, and texts of environment variables (None:
#: unset).
FACTS: dict[str, tuple[int, ...]] = {"A": (0, 1, 2), "B": (0, 1, 3), "C": (0, 5)}
ENVIRON: dict[str, tuple[str | None, ...]] = {
    "FUZZ_MODE": (None, "fast", "slow"),
    "FUZZ_ON": (None, "0", "1"),
}


@dataclass(frozen=True)
class Inputs:
    """One choice of what the outside says; a name that is missing is not known."""

    facts: dict[str, int] = field(default_factory=dict)
    environ: dict[str, str | None] = field(default_factory=dict)

    def without(self, *names: str) -> Inputs:
        """The same with some of it not known."""
        return Inputs(
            {k: v for k, v in self.facts.items() if k not in names},
            {k: v for k, v in self.environ.items() if k not in names},
        )

    @property
    def names(self) -> list[str]:
        return [*self.facts, *self.environ]


@dataclass(frozen=True)
class Program:
    """Files by path, with ``main.py`` among them."""

    files: dict[str, str]

    @property
    def text(self) -> str:
        """All files, as a reader wants to see them."""
        return "\n".join(f"# ---- {path}\n{source}" for path, source in self.files.items())
