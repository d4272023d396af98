"""Loops over known elements, tables that a module's body registers, names that a body has not shown yet."""

from __future__ import annotations

from small_programs import analyse


def test_each_turn_makes_its_own_row() -> None:
    found = analyse("""
        def declare(*names, **options):
            seen[names[-1]] = options["default"], names
        seen = {}
        for name, other, default in (("a", [], 1), ("b", ["c"], 2), ("d", [], None)):
            options = dict(default=default)
            names = [name] + other
            declare(*names, **options)
        a, c, d = seen["a"], seen["c"], seen["d"]
    """)
    assert found.plain("a") == {(1, ("a",))}
    assert found.plain("c") == {(2, ("b", "c"))}
    assert found.plain("d") == {(None, ("d",))}


def test_a_row_of_an_outer_turn_may_hold_what_all_inner_turns_put_in() -> None:
    found = analyse("""
        rows = {}
        for name in ("a", "b"):
            row = []
            for part in ("x", "y"):
                row.append(name + part)
            rows[name] = row
        one, two = rows["a"][0], rows["b"][1]
    """)
    assert "ax" in found.plain("one") and "bx" not in found.plain("one")
    assert "by" in found.plain("two") and "ay" not in found.plain("two")


def test_a_short_function_tells_apart_as_many_names_as_a_loop_has_turns() -> None:
    names = tuple(f"field_{i}" for i in range(300))
    found = analyse(f"""
        def option(name):
            return "--" + name
        table = {{}}
        for name in {names!r}:
            table[option(name)] = name
        last = table["--field_299"]
        missing = "field_299" in table
    """)
    assert found.plain("last") == {"field_299"}
    assert found.plain("missing") == {False}


def test_a_registry_that_modules_fill_holds_one_entry_for_each_row() -> None:
    found = analyse("""
        import dataclasses
        @dataclasses.dataclass(frozen=True)
        class Spec:
            op: str
            target: str
            def load(self):
                module, _, name = self.target.partition(":")
                found = module
                for part in name.split("."):
                    found = found + "/" + part
                return found
        class Registry:
            def __init__(self):
                self.by_op = {}
            def register(self, spec):
                self.by_op.setdefault(spec.op, []).append(spec)
        registry = Registry()
        for op in "add mul sub neg abs inv pow mod rem shl shr and or xor".split():
            registry.register(Spec(op, "kernels:" + op))
        registry.register(Spec("all", "kernels:reduce.all"))
        pow_, all_ = registry.by_op["pow"][0].load(), registry.by_op["all"][0].load()
    """)
    assert found.plain("pow_") == {"kernels/pow"}
    assert found.plain("all_") == {"kernels/reduce/all"}


def test_a_property_is_asked_of_each_object_by_itself() -> None:
    names = tuple(f"op_{i}" for i in range(60))
    found = analyse(f"""
        class Wrapper:
            def __init__(self, function):
                self.function = function
                self.made = None
            @property
            def real(self):
                if self.made is None:
                    function = self.function
                    # long enough not to be a short function
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    #
                    def call():
                        return function()
                    self.made = call
                return self.made
        def register(function):
            return Wrapper(function).real
        {
        "".join(
            f'''
        @register
        def {n}():
            return {n!r}'''
            for n in names
        )
    }
        first, last = op_0(), op_59()
    """)
    assert found.plain("first") == {"op_0"}
    assert found.plain("last") == {"op_59"}


def test_a_call_that_does_not_return_yet_sees_the_names_that_the_body_has_assigned() -> None:
    """What the call waits for comes when the module's body has been walked: the call alone goes on."""
    found = analyse(
        {
            "helper.py": """
            def view():
                return False
        """,
            "main.py": """
            from helper import view
            class Late:
                pass
            def run():
                late.sent
                if view():
                    wrong = 1
                return 2
            late = Late()
            try:
                result = run()
            finally:
                late.sent = 1
        """,
        }
    )
    assert not found.world.lifted
    assert {5, 6, 8} <= found.reached()
    assert 7 not in found.reached()
