"""Records of dataclasses and msgspec, typing forms, and texts read as JSON."""

from __future__ import annotations

from small_programs import analyse


def test_fields_of_a_struct() -> None:
    found = analyse("""
        import msgspec
        class S(msgspec.Struct):
            a: int
            b: int = 2
        names = tuple(f.name for f in msgspec.structs.fields(S))
        bare = tuple(f.default is msgspec.NODEFAULT for f in msgspec.structs.fields(S))
    """)
    assert found.plain("names") == {("a", "b")}
    assert found.plain("bare") == {(True, False)}


def test_class_made_from_fields() -> None:
    found = analyse("""
        import msgspec
        class Base:
            def twice(self):
                return self.a * 2
        S = msgspec.defstruct("S", [("a", int), ("b", int, 5)], namespace={"twice": Base.twice})
        s = S(a=4)
        x = s.twice()
        y = s.b
    """)
    assert found.plain("x") == {8}
    assert found.plain("y") == {5}


def test_a_class_holds_only_its_own_names() -> None:
    found = analyse("""
        import msgspec
        class A(msgspec.Struct):
            mark = "a"
        class B(A):
            pass
        own = A.__dict__.get("mark")
        inherited = B.__dict__.get("mark")
        found = [base.__dict__.get("_OTHER") for base in B.__mro__]
        if any(found):
            x = 1
    """)
    assert "a" in found.plain("own")
    assert found.plain("inherited") == {None}
    assert found.plain("x") == set()


def test_typing_forms_give_back_what_they_hold() -> None:
    found = analyse("""
        from typing import Annotated, Literal, get_args, get_origin
        a = get_args(Annotated[int, "help"])[1]
        b = get_args(Literal["x", "y"])
        c = get_origin(Annotated[int, "help"]) is Annotated
    """)
    assert found.plain("a") == {"help"}
    assert found.plain("b") == {("x", "y")}
    assert True in found.plain("c")


def test_json_of_a_constant_text() -> None:
    found = analyse("""
        import json
        x = json.loads('{"a": 3}')["a"]
        y = json.loads("{}")
        z = 1 if y else 2
    """)
    assert found.plain("x") == {3}
    assert found.plain("z") == {2}


def test_functions_of_a_loop_keep_their_defaults() -> None:
    found = analyse("""
        def make(name):
            return property(lambda self, _n=name: _n)
        class C:
            pass
        for n in ("a", "b"):
            setattr(C, n, make(n))
        x = C().a
        y = C().b
    """)
    assert found.plain("x") == {"a"}
    assert found.plain("y") == {"b"}


def test_a_rebound_global_is_seen_as_it_was_where_it_is_read() -> None:
    found = analyse("""
        x = 1
        def read():
            return x
        y = read()
        x = 2
        z = 3
        def other():
            return z
        z = 4
        w = other()
    """)
    assert 1 in found.plain("y")
    assert found.plain("w") == {4}


def test_set_in_the_condition_of_a_loop() -> None:
    found = analyse("""
        order = ["a", "b"]
        names = {"a": 1, "b": 2, "c": 3}
        rest = tuple([n for n in names if n not in set(order)])
    """)
    assert found.plain("rest") == {("c",)}


def test_the_fields_of_a_record_are_set_through_its_own_setattr() -> None:
    found = analyse(
        """
        from dataclasses import dataclass
        @dataclass
        class Base:
            n: int = 3
        class Child(Base):
            def __setattr__(self, name, value):
                object.__setattr__(self, name, value + 1)
        result = Child(1).n
        """
    )
    assert 2 in found.plain("result")
    assert not found.dead()


def test_is_dataclass_of_classes_and_of_instances() -> None:
    found = analyse("""
        from dataclasses import dataclass, is_dataclass
        from elsewhere import Other
        @dataclass
        class Row:
            n: int = 3
        class Child(Row):
            pass
        class Plain(dict):
            pass
        class Theirs(Other):
            pass
        yes = is_dataclass(Row), is_dataclass(Child), is_dataclass(Child())
        no = (is_dataclass(Plain), is_dataclass(Plain()), is_dataclass(type(None)), is_dataclass(3),
              is_dataclass([]), is_dataclass((1,)), is_dataclass(len))
        either = is_dataclass(Theirs)
    """)
    assert found.plain("yes") == {(True,) * 3}
    assert found.plain("no") == {(False,) * 7}
    assert found.plain("either") != {True} and found.plain("either") != {False}


def test_a_field_that_the_constructor_does_not_take_is_set_later() -> None:
    found = analyse("""
        from dataclasses import dataclass, field
        @dataclass(kw_only=True)
        class Pool:
            size: int
            twice: int = field(init=False)
            kept: list = field(init=False, default_factory=list)
            fixed: int = field(init=False, default=9)
            def __post_init__(self):
                self.twice = self.size * 2
        pool = Pool(size=4)
        result = pool.twice, pool.fixed, len(pool.kept)
        @dataclass
        class Row:
            first: int = field(init=False)
            second: int
        row = Row(5)
        second = row.second
        try:
            early = row.first
        except AttributeError:
            early = "unset"
        try:
            wrong = Row(first=1, second=2)
        except TypeError:
            wrong = "refused"
    """)
    assert found.plain("result") == {(8, 9, 0)}
    assert found.plain("second") == {5}
    assert found.plain("early") == {"unset"}
    assert found.plain("wrong") == {"refused"}


def test_arguments_for_post_init_only_are_no_attributes() -> None:
    found = analyse("""
        from dataclasses import dataclass, InitVar
        @dataclass
        class Child:
            name: str
            factor: InitVar[int]
            size: int = 3
            def __post_init__(self, factor):
                self.size = self.size * factor
        child = Child("a", 5)
        result = child.size
        try:
            kept = child.factor
        except AttributeError:
            kept = "not kept"
    """)
    assert found.plain("result") >= {15} and "a" not in found.plain("result")
    assert found.plain("kept") == {"not kept"}
