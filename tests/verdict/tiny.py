"""A server of a few lines with the outline of SGLang: an argument, two processes, a loop, a flag."""

from __future__ import annotations

SRT = "python/sglang/srt/"
LAUNCH = "python/sglang/launch_server.py"
ARGS = SRT + "server_args.py"
HTTP = SRT + "entrypoints/http_server.py"
SCHEDULER = SRT + "managers/scheduler.py"
FLAGS = SRT + "flags.py"
EXTRA = SRT + "extra.py"

FILES: dict[str, str | bytes | None] = {
    "python/sglang/__init__.py": "",
    "python/pyproject.toml": '[project]\nname = "sglang"\ndependencies = ["fastapi"]\n',
    LAUNCH: """\
import sys
from sglang.srt.entrypoints.http_server import launch_server
from sglang.srt.server_args import prepare_server_args


def run_server(server_args):
    launch_server(server_args)


if __name__ == "__main__":
    run_server(prepare_server_args(sys.argv[1:]))
""",
    ARGS: """\
import argparse
import dataclasses


@dataclasses.dataclass
class ServerArgs:
    model_path: str
    turbo: bool = False

    def __post_init__(self):
        if self.turbo:
            self.mode = "turbo"
        else:
            self.mode = "plain"

    @staticmethod
    def add_cli_args(parser):
        parser.add_argument("--model-path", type=str)
        parser.add_argument("--turbo", action="store_true")
        parser.add_argument("--depth", type=int, default=1)
        parser.add_argument("--colour", choices=["red", "blue"], default="red")

    @classmethod
    def from_cli_args(cls, args):
        return cls(model_path=args.model_path, turbo=args.turbo)


def prepare_server_args(argv):
    parser = argparse.ArgumentParser()
    ServerArgs.add_cli_args(parser)
    return ServerArgs.from_cli_args(parser.parse_args(argv))
""",
    HTTP: """\
import multiprocessing as mp
from sglang.srt.managers.scheduler import run_scheduler_process


def launch_server(server_args):
    process = mp.Process(target=run_scheduler_process, args=(server_args,))
    process.start()
""",
    FLAGS: """\
from contextlib import contextmanager

_fast = False


def is_fast():
    return _fast


@contextmanager
def fast():
    global _fast
    _fast = True
    yield
    _fast = False
""",
    SCHEDULER: """\
from sglang.srt.flags import fast, is_fast


class Runner:
    def __init__(self, server_args):
        self.server_args = server_args

    def replay(self):
        with fast():
            return 1


class Scheduler:
    def __init__(self, server_args):
        self.turbo = server_args.turbo
        self.runner = None
        if server_args.turbo:
            self.runner = Runner(server_args)

    def event_loop_normal(self):
        while True:
            self.run_batch()
            self.process_batch_result()

    def run_batch(self):
        if is_fast():
            print("fast")
        elif self.turbo and self.runner:
            self.runner.replay()
        return 0

    def process_batch_result(self):
        return 1
        print("never")

    def unused(self):
        return 2


def run_scheduler_process(server_args):
    scheduler = Scheduler(server_args)
    scheduler.event_loop_normal()
""",
    EXTRA: "def extra():\n    return 1\n",
}


def line_of(path: str, text: str) -> int:
    """The number of the first line of a file that holds ``text``."""
    content = FILES[path]
    assert isinstance(content, str)
    return next(number for number, line in enumerate(content.split("\n"), 1) if text in line)
