"""Runs a program under CPython with a call tracer: what a truth expects against what happens.

    PYTHON trace.py ROOT RESULT SCRIPT [ARGUMENT ...]
    PYTHON trace.py ROOT RESULT -m MODULE [ARGUMENT ...]

RESULT becomes ``{"edges": [[caller, callee]], "generators": [name], "end": what ended the run}``.  Only calls
between functions below ROOT count, and those of builtins made there.  A generator's frame starts when it
is first asked for a value, not where it is called: generators are listed, and their calls not judged.
"""

import json
import os
import runpy
import sys
import threading

INNER = ("<listcomp>", "<setcomp>", "<dictcomp>", "<genexpr>")
TYPES = {"dict": "map"}


class Tracer:
    """Collects edges; use as ``sys.setprofile(tracer)``."""

    def __init__(self, root):
        self.root = os.path.realpath(root) + os.sep
        self.names = {}
        self.edges = set()
        self.generators = set()

    def name(self, code):
        """The name of a code object below the root, "" for others; a comprehension goes by its function."""
        found = self.names.get(code)
        if found is None:
            found = self.names[code] = self._name(code)
        return found

    def _name(self, code):
        path = os.path.realpath(code.co_filename)
        if not path.startswith(self.root) or not path.endswith(".py"):
            return ""
        module = path[len(self.root) : -3].replace(os.sep, ".")
        module = module[: -len(".__init__")] if module.endswith(".__init__") else module
        parts = [part for part in code.co_qualname.split(".") if part not in ("<locals>", "<module>", *INNER)]
        return ".".join([module, *parts])

    def __call__(self, frame, event, arg):
        if event == "call":
            caller = frame.f_back
            if caller is None or frame.f_code.co_name in INNER:
                return
            callee = self.name(frame.f_code)
            source = self.name(caller.f_code) if callee else ""
            if frame.f_code.co_flags & 0x20:
                self.generators.add(callee)
            elif callee and source:
                self.edges.add((source, callee))
        elif event == "c_call":
            source = self.name(frame.f_code)
            if source:
                owner = getattr(arg, "__self__", None)
                if owner is None or type(owner).__name__ == "module":
                    if getattr(arg, "__module__", None) == "builtins":
                        self.edges.add((source, "<builtin>." + arg.__name__))
                else:
                    kind = type(owner).__name__
                    self.edges.add((source, f"<{TYPES.get(kind, kind)}>.{arg.__name__}"))


def main():
    """Run, then write what was seen, however it ended."""
    root, result, script = sys.argv[1:4]
    tracer = Tracer(root)
    sys.path.insert(0, root)
    end = ""
    module = script == "-m"
    sys.argv = sys.argv[4:] if module else sys.argv[3:]
    threading.setprofile(tracer)
    sys.setprofile(tracer)
    try:
        if module:
            runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
        else:
            runpy.run_path(script, run_name="__main__")
    except BaseException as error:
        end = f"{type(error).__name__}: {error}"
    finally:
        sys.setprofile(None)
    with open(result, "w") as file:
        seen = {"edges": sorted(tracer.edges), "generators": sorted(tracer.generators), "end": end}
        json.dump(seen, file)


if __name__ == "__main__":
    main()
