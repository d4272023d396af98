"""The tiny server with a model's worker, a speculative one on top, and a captured graph."""

from __future__ import annotations

from tiny import ARGS, FILES, SCHEDULER, SRT

WORKER = SRT + "managers/tp_worker.py"
EAGLE = SRT + "speculative/eagle_worker.py"
GRAPH = SRT + "model_executor/cuda_graph_runner.py"
MODEL = SRT + "models/tiny.py"

SPECULATIVE: dict[str, str | bytes | None] = {
    **FILES,
    ARGS: str(FILES[ARGS]).replace("turbo", "speculative"),
    SCHEDULER: """\
import threading
from sglang.srt.managers.tp_worker import TpModelWorker
from sglang.srt.speculative.eagle_worker import EAGLEWorker


class Scheduler:
    def __init__(self, server_args):
        self.tp_worker = TpModelWorker()
        if server_args.speculative:
            self.model_worker = EAGLEWorker(self.tp_worker)
        else:
            self.model_worker = self.tp_worker
        threading.Thread(target=self.watch).start()

    def watch(self):
        return "watching"

    def event_loop_normal(self):
        while True:
            self.run_batch()

    def run_batch(self):
        return self.model_worker.forward_batch_generation(1)


def run_scheduler_process(server_args):
    scheduler = Scheduler(server_args)
    scheduler.event_loop_normal()
""",
    WORKER: """\
from sglang.srt.model_executor.cuda_graph_runner import CudaGraphRunner
from sglang.srt.models.tiny import Model


class TpModelWorker:
    def __init__(self):
        self.is_draft_worker = False
        self.model = Model()
        self.graph = CudaGraphRunner(self)

    def forward_batch_generation(self, batch):
        return self.graph.replay(batch)
""",
    GRAPH: """\
class CudaGraphRunner:
    def __init__(self, model_runner):
        self.model_runner = model_runner
        self.capture()

    def capture(self):
        self.output = self.model_runner.model.forward(0)

    def replay(self, batch):
        return self.output
""",
    MODEL: """\
class Model:
    def forward(self, batch):
        return batch + 1
""",
    EAGLE: """\
class EAGLEWorker:
    def __init__(self, target):
        self.target = target

    def forward_batch_generation(self, batch):
        self.draft(batch)
        return self.verify(batch)

    def draft(self, batch):
        return batch

    def verify(self, batch):
        found = self.target.forward_batch_generation(batch)
        return found
""",
}
