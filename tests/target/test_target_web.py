"""Web applications: what one is given waits until a server runs it.

Handlers that a decorator registers are the load's (``ENTRIES``), whoever serves them.
"""
from __future__ import annotations

from small_programs import Analysed, analyse

from pathcheck.flow.model import Model
from pathcheck.target import ops

APPLICATION = """
from fastapi import APIRouter, Depends, FastAPI
ran = depended = routed = lived = 'no'
async def lifespan(app):
    global lived
    lived = 'yes'
    yield
def dependency():
    global depended
    depended = 'yes'
app = FastAPI(lifespan=lifespan)
router = APIRouter()
async def handler(given=Depends(dependency)):
    global ran
    ran = 'yes'
app.add_api_route('/a', handler)
def other():
    global routed
    routed = 'yes'
router.add_api_route('/b', other)
@app.get('/c')
async def decorated():
    pass
app.include_router(router)
direct = decorated
"""


def _analyse(files: dict[str, str]) -> Analysed:
    model = Model(package=lambda name: True)
    model.keepers, model.loose_keepers = ops.KEEPERS, ops.LOOSE_KEEPERS
    model.runs_by_name = ops.RUNS_BY_NAME
    return analyse(files, model=model)


def _flags(found: Analysed, module: str) -> list[bool]:
    return ["yes" in found.plain(name, module) for name in ("ran", "depended", "routed", "lived")]


def test_an_application_that_nobody_runs_does_not_answer() -> None:
    found = _analyse({"main.py": APPLICATION})
    assert _flags(found, "main") == [False] * 4
    assert found.plain("direct") == {"<function main:decorated>"}


def test_a_server_runs_handlers_dependencies_routers_and_the_lifespan() -> None:
    found = _analyse({"main.py": APPLICATION + "\nimport uvicorn\nuvicorn.run(app, host='x')\n"})
    assert _flags(found, "main") == [True] * 4


def test_a_server_that_is_given_a_name_runs_what_it_names() -> None:
    files = {"served.py": APPLICATION, "main.py": "import uvicorn\nuvicorn.run('served:app', workers=2)\n"}
    assert _flags(_analyse(files), "served") == [True] * 4


def test_an_application_that_is_handed_to_anyone_else_may_be_run() -> None:
    found = _analyse({"main.py": APPLICATION + "\nfrom somewhere import serve\nserve(app)\n"})
    assert _flags(found, "main") == [True] * 4


def test_a_server_runs_its_own_application_only() -> None:
    small = """
from fastapi import FastAPI
import served, uvicorn
waited = 'no'
gate = FastAPI()
async def ready():
    global waited
    waited = 'yes'
gate.add_api_route('/ready', ready)
uvicorn.run(gate)
"""
    found = _analyse({"served.py": APPLICATION, "main.py": small})
    assert "yes" in found.plain("waited")
    # a dependency may belong to any application, what it was declared for is not followed
    assert _flags(found, "served") == [False, True, False, False]
