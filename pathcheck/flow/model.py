"""What the analysis is told of the world outside the program: a description, no knowledge of its own.

``target`` fills it for SGLang; the analysis only asks.  Every entry speaks of
names: dotted external names (``torch.cuda.is_available``) or functions of the
program (``package.module:Class.method``).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathcheck.flow.frame import Frame
    from pathcheck.flow.values import Atom, Value

#: A summary of an external function: (frame, positional values, keyword values, position) -> result.
#: None means "no special result": the ordinary treatment of an external call applies.
Summary = Callable[["Frame", "tuple[Value, ...]", "dict[str, Value]", int], "Value | None"]

#: A summary of an external method: like Summary, with the receiver in front.
MethodSummary = Callable[["Frame", "Atom", "tuple[Value, ...]", "dict[str, Value]", int], "Value | None"]

#: What refines the result of a function of the program: (frame, parameters, result of the body) -> result.
Refinement = Callable[["Frame", "dict[str, Value]", "Value"], "Value"]


@dataclass(slots=True)
class Model:
    """Facts and summaries about what is not in the program."""

    #: presence of an external module by dotted name: True, False, or None for unknown
    package: Callable[[str], bool | None] = lambda name: None
    #: whether a module counts as present only because the revision's own metadata requires it
    assumed_package: Callable[[str], bool] = lambda name: False
    #: environment of the process; None for a variable that is unset, missing if ``environ_else`` decides
    environ: dict[str, str | None] = field(default_factory=dict)
    #: "unset" or "unknown"
    environ_else: str = "unset"
    #: dotted external name -> constant (or Value maker) it holds
    attributes: dict[str, Any] = field(default_factory=dict)
    #: dotted external name -> summary
    calls: dict[str, Summary] = field(default_factory=dict)
    #: dotted external class -> {method: summary}; "" as method name is any other method
    methods: dict[str, dict[str, MethodSummary]] = field(default_factory=dict)
    #: dotted external class -> attribute names its instances have
    attributes_of: dict[str, frozenset[str]] = field(default_factory=dict)
    #: dotted external class -> names of plain data that its instances have
    data_of: dict[str, frozenset[str]] = field(default_factory=dict)
    #: function of the program -> result that replaces what its body gives (the body is analysed all the same)
    results: dict[str, Any] = field(default_factory=dict)
    #: function of the program -> what is known of its result besides its body
    refinements: dict[str, Refinement] = field(default_factory=dict)
    #: function of the program -> parameter whose value its result is (on every rank)
    passes_on: dict[str, str] = field(default_factory=dict)
    #: functions in which a process begins to serve: ``module:qualified.name``
    serving: frozenset[str] = frozenset()
    #: the same as ``results`` under the ordinary load only (first stage)
    ordinary_results: dict[str, Any] = field(default_factory=dict)
    #: function of the program -> which of the things it returns it returns under the ordinary load
    ordinary_choices: dict[str, Callable[[Atom], bool]] = field(default_factory=dict)
    #: attribute name -> what it holds on every third-party object that has it
    external_attributes: dict[str, Any] = field(default_factory=dict)
    #: function of the program -> summary that runs instead of the body
    functions: dict[str, Summary] = field(default_factory=dict)
    #: functions that are not entered at all: the closed world
    closed: dict[str, str] = field(default_factory=dict)
    #: texts that every ordinary request carries, by field
    request_texts: dict[str, str] = field(default_factory=dict)
    #: prefix of ``module:Class`` in the program, or external class that is a base -> levels of allocator
    #: context its objects keep (default 2; -1: all its objects are one)
    heap_depth: dict[str, int] = field(default_factory=dict)
    #: prefixes of external names whose calls return third-party objects that are never None
    objects: tuple[str, ...] = ()
    #: external classes whose instances are numbers or texts: they keep nothing that a method or an item gets
    plain_data: frozenset[str] = frozenset()
    #: external classes whose instances are configurations: they hold the keywords they are made with
    is_configuration: Callable[[str], bool] = lambda name: False
    #: external class whose attributes every configuration has
    configuration: str = ""
    #: exceptions whose handlers run in ordinary service
    ordinary_exceptions: frozenset[str] = frozenset()
    #: whether a process has come to serve, given its role and the functions that are reached; one that
    #: ends before is asked for what would run if it did not
    serves: Callable[[str, Callable[[str], bool]], bool] = lambda role, reached: True
    #: external functions that never call the functions they are given
    no_callback: tuple[str, ...] = ()
    #: external classes that keep the functions they are given, until an object of theirs is handed on to run
    keepers: frozenset[str] = frozenset()
    #: those among them that belong to whatever keeper of the process is run
    loose_keepers: frozenset[str] = frozenset()
    #: prefixes of external names that run what a text ``module:name`` of the program names
    runs_by_name: tuple[str, ...] = ()
