"""Makes programs: every construct draws its parts from the others, so that features meet at random.

Left out, for docs/limits.md names them as not modelled: metaclasses beyond Enum, ``exec`` and ``eval``,
``__del__``, looking into frames and code.
"""

from .whole import make

__all__ = ["make"]
