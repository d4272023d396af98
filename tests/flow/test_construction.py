"""What a constructor leaves in its object."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.model import Model


def test_the_last_assignment_wins() -> None:
    found = analyse("""
        class A:
            def __init__(self):
                self.x = None
                self.x = 2
        y = A().x
    """)
    assert found.plain("y") == {2}


def test_early_return_keeps_what_was_set() -> None:
    found = analyse("""
        class A:
            def __init__(self, early):
                self.x = 1
                if early:
                    return
                self.x = 2
        y = A(True).x
    """)
    assert found.plain("y") == {1}
    assert found.dead() == {6}


def test_base_constructor_sets_first() -> None:
    found = analyse("""
        class A:
            def __init__(self):
                self.x = 1
        class B(A):
            def __init__(self):
                super().__init__()
                self.x = 2
        y = B().x
    """)
    assert found.plain("y") == {2}


def test_dataclass_with_post_init() -> None:
    found = analyse("""
        from dataclasses import dataclass
        @dataclass
        class A:
            n: int = 3
            m: int = 0
            def __post_init__(self):
                self.m = self.n + 1
        y = A().m
    """)
    assert 4 in found.plain("y")


def test_dataclass_over_a_base_with_init() -> None:
    found = analyse("""
        from dataclasses import dataclass
        class Base:
            def __init__(self):
                self.base = 1
        @dataclass
        class A(Base):
            n: int = 3
        y = A(5).n
    """)
    assert found.plain("y") == {5}
    assert found.dead() == {4}


def test_dataclass_default_factory() -> None:
    found = analyse("""
        from dataclasses import dataclass, field
        @dataclass
        class A:
            names: list = field(default_factory=lambda: ['a'])
        y = A().names[0]
    """)
    assert "a" in found.plain("y")


def test_new_before_init() -> None:
    found = analyse("""
        class A:
            def __new__(cls):
                return super().__new__(cls)
            def __init__(self):
                self.x = 1
        y = A().x
    """)
    assert found.plain("y") == {1}
    assert found.dead() == set()


def test_fields_of_a_pydantic_model_have_their_defaults() -> None:
    found = analyse("""
        from pydantic import BaseModel, Field
        class Request(BaseModel):
            model: str = Field(default='default', description='which')
            size: int = Field(3)
            names: list = Field(default_factory=list)
            needed: str = Field(...)
        request = Request(needed='x')
        model, size, empty, needed = request.model, request.size, not request.names, request.needed
        other = Request(model='other', needed='x').model
    """)
    assert found.plain("model") == {"default"}
    assert found.plain("size") == {3}
    assert found.plain("empty") == {True}
    assert found.plain("needed") == {"x"}
    assert found.plain("other") == {"other"}


def test_a_configuration_is_updated_with_a_dict() -> None:
    model = Model()
    model.is_configuration = lambda name: name == "transformers.LlamaConfig"
    model.attributes_of["transformers.LlamaConfig"] = frozenset({"update"})
    found = analyse(
        """
        from transformers import LlamaConfig
        config = LlamaConfig(hidden_size=1)
        config.update({'hidden_size': 2, 'kind': 'a'})
        size, kind = config.hidden_size, config.kind
        """,
        model=model,
    )
    assert found.plain("size") == {1, 2}
    assert found.plain("kind") == {"a"}


def test_a_property_that_the_program_replaces_is_no_longer_all() -> None:
    found = analyse(
        """
        class C:
            @property
            def extra(self):
                return 1
        C.extra = 4
        result = C().extra
        """
    )
    assert 4 in found.plain("result")


def test_a_getter_that_finds_nothing_asks_getattr() -> None:
    found = analyse(
        """
        class C:
            @property
            def extra(self):
                return self.missing
            def __getattr__(self, name):
                if name == 'extra':
                    return 2
                raise AttributeError(name)
        result = C().extra
        """
    )
    assert 2 in found.plain("result")
