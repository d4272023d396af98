"""The ordinary load: what its tables say of a few well-known cases."""

from __future__ import annotations

from pathcheck.target import load
from pathcheck.target.load import Outcome, Service


def result(ending: str) -> load.OrdinaryResult:
    (found,) = (r for r in load.RESULTS if r.function.endswith(ending))
    return found


def service(route: str) -> Service:
    (found,) = {e.service for e in load.ENTRIES if route in e.routes}
    return found


def test_every_row_has_a_reason_and_stands_once() -> None:
    tables = (load.ENTRIES, load.REQUESTS, load.RESULTS, load.ATTRIBUTES, load.OUTSIDE, load.MESSAGES)
    assert all(row.reason for table in tables for row in table)
    for keys in (
        [e.function for e in load.ENTRIES],
        [r.name for r in load.REQUESTS],
        [r.function for r in load.RESULTS],
        [(a.cls, a.attribute) for a in load.ATTRIBUTES],
        [o.function for o in load.OUTSIDE],
        [(m.name, m.sender, m.receiver) for m in load.MESSAGES],
        list(load.CONTROL_HANDLERS),
    ):
        assert len(keys) == len(set(keys))


def test_routes() -> None:
    assert service("/generate") is Service.ORDINARY
    assert service("/v1/chat/completions") is Service.ORDINARY
    assert service("/health_generate") is Service.HEALTH
    assert service("/v1/embeddings") is Service.CLIENT
    assert service("/update_weights_from_disk") is Service.ADMINISTRATION
    assert service("/set_internal_state") is Service.ADMINISTRATION


def test_start_up_calls_some_routes_itself() -> None:
    called = {r for e in load.ENTRIES if e.called_by is not None for r in e.routes}
    assert called == {"/model_info", "/encode", "/freeze_gc"}


def test_memory_and_budget_are_available() -> None:
    assert result("ScheduleBatch.check_decode_mem").value is Outcome.TRUE
    assert result("memory_pool:ReqToTokenPool.alloc").value is Outcome.NOT_NONE
    assert "AddReqResult.NO_TOKEN" not in result("PrefillAdder.add_one_req").members
    assert any(o.function.endswith("ScheduleBatch.retract_decode") for o in load.OUTSIDE)


def test_health_checks_are_not_ordinary() -> None:
    assert result("managers.scheduler:is_health_check_generate_req").value is Outcome.FALSE


def test_requests_finish_and_are_greedy_or_sampled() -> None:
    assert result("Req.finished").value is Outcome.EITHER
    greedy = next(a for a in load.ATTRIBUTES if a.attribute == "is_all_greedy")
    assert greedy.value is Outcome.EITHER


def test_an_ordinary_message_is_an_ordinary_request_or_its_answer() -> None:
    ordinary = {m.name.split(":")[1] for m in load.MESSAGES if m.service is Service.ORDINARY}
    assert {"TokenizedGenerateReqInput", "BatchTokenIDOutput", "BatchStrOutput"} <= ordinary
    assert not ordinary & {"AbortReq", "FlushCacheReqInput", "SetInternalStateReq", "HealthCheckOutput"}


def test_only_what_the_contract_names_varies() -> None:
    generate = next(r for r in load.REQUESTS if r.name.endswith(":GenerateReqInput"))
    assert {v.name for v in generate.varies} == {"text", "input_ids", "sampling_params", "stream", "rid"}
