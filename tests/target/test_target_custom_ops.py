"""Custom operators: registering one does not run it, calling it by its torch name does."""

from __future__ import annotations

from small_programs import analyse

from pathcheck.flow.model import Model
from pathcheck.target import ops, torch_module

SOURCE = """
    import torch
    library = torch.library.Library("sglang", "FRAGMENT")

    def register(name, function):
        schema = torch._custom_op.impl.infer_schema(function, [])
        library.define(name + schema)
        library.impl(name, function, "CUDA")

    def called(x):
        return x + 1

    def registered_only(x):
        return x + 2

    register("called", called)
    register("registered_only", registered_only)
    result = torch.ops.sglang.called(1)
"""


def test_an_operator_runs_where_it_is_called() -> None:
    model = Model(
        methods=torch_module.methods(), calls=torch_module.summaries(), no_callback=ops.NO_CALLBACK
    )
    found = analyse(SOURCE, model=model)
    assert found.plain("result") == {2}
    lines = SOURCE.lstrip("\n").splitlines()
    reached = {lines[line - 1].strip() for line in found.reached() if line}
    assert "return x + 1" in reached
    assert "return x + 2" not in reached
