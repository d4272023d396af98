"""``vars(x)`` holds what the object itself has, whatever way it was put there."""

from __future__ import annotations

from small_programs import analyse


def test_a_class_surely_holds_what_its_body_binds_and_nothing_that_it_inherits() -> None:
    found = analyse(
        "class Base:\n"
        "    def far(self): pass\n"
        "    def defined(self, name):\n"
        "        for klass in type(self).__mro__:\n"
        "            if klass is Base:\n"
        "                return None\n"
        "            if name in klass.__dict__:\n"
        "                return klass\n"
        "class Child(Base):\n"
        "    def near(self): pass\n"
        "class Grandchild(Child):\n"
        "    pass\n"
        "near = Child().defined('near')\n"
        "far = Child().defined('far')\n"
        "through = Grandchild().defined('near')\n"
    )
    assert found.plain("near") == {"<class main:Child>"}
    assert found.plain("far") == {None}
    assert found.plain("through") == {"<class main:Child>"}


def test_a_member_bound_under_an_open_condition_may_be_missing() -> None:
    found = analyse(
        "import sys\n"
        "class A:\n"
        "    if len(sys.argv) > 3:\n"
        "        x = 1\n"
        "    y = 2\n"
        "perhaps = 'x' in A.__dict__, hasattr(A, 'x'), hasattr(A(), 'x')\n"
        "one, two, three = perhaps\n"
        "surely = 'y' in A.__dict__\n"
    )
    assert found.plain("one") == found.plain("two") == found.plain("three") == {True, False}
    assert found.plain("surely") == {True}


def test_a_member_that_is_deleted_may_be_missing() -> None:
    found = analyse("class A:\n    x = 1\ndef drop():\n    del A.x\ndrop()\nleft = hasattr(A, 'x')\n")
    assert False in found.plain("left")


def test_what_is_stored_under_an_unknown_name_may_be_any_attribute() -> None:
    found = analyse(
        "import sys\n"
        "class A:\n"
        "    def __init__(self, name):\n"
        "        self.known = 1\n"
        "        self.__dict__[name] = 2\n"
        "known = A(sys.argv[1]).known\n"
    )
    assert found.plain("known") == {1, 2}


def test_the_attributes_of_another_object_are_taken_over() -> None:
    found = analyse(
        "class A:\n"
        "    def __init__(self):\n"
        "        self.x = 1\n"
        "class B:\n"
        "    def __init__(self, other):\n"
        "        self.__dict__.update(other.__dict__)\n"
        "class C:\n"
        "    def __init__(self, given):\n"
        "        self.__dict__ = given\n"
        "copied = B(A()).x\n"
        "replaced = C({'x': 2}).x\n"
    )
    assert found.plain("copied") == {1}
    assert found.plain("replaced") == {2}


def test_a_popped_attribute_may_be_missing() -> None:
    found = analyse(
        "class A:\n"
        "    def __init__(self):\n"
        "        self.x = 1\n"
        "a = A()\n"
        "def drop():\n"
        "    return a.__dict__.pop('x')\n"
        "given = drop()\n"
        "left = 'x' in a.__dict__\n"
    )
    assert 1 in found.plain("given")
    assert False in found.plain("left")


def test_a_write_to_one_of_several_names_or_objects_leaves_what_was_there() -> None:
    found = analyse(
        "import sys\n"
        "class Other:\n"
        "    x = 1\n"
        "class A:\n"
        "    def __init__(self, open):\n"
        "        self.x = self.y = 1\n"
        "        setattr(self, 'x' if open else 'y', 2)\n"
        "class B:\n"
        "    def __init__(self, open):\n"
        "        self.x = 1\n"
        "        target = self if open else Other()\n"
        "        target.x = 2\n"
        "class C:\n"
        "    def __init__(self, open):\n"
        "        self.x = self.y = 1\n"
        "        object.__setattr__(self, 'x' if open else 'y', 2)\n"
        "class D:\n"
        "    def __init__(self, open):\n"
        "        self.x = self.y = 1\n"
        "        super().__setattr__(sys.argv[1], 2)\n"
        "open = len(sys.argv) > 3\n"
        "a, b, c, d = A(open).x, B(open).x, C(open).x, D(open).x\n"
    )
    assert found.plain("a") == found.plain("b") == found.plain("c") == found.plain("d") == {1, 2}
