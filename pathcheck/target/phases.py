"""The phases of a server's life: where each begins and what it does not walk into.

docs/contract.md names the phases.  Here each is a set of root functions with
what is known on entry.  How a phase is walked:

* It starts at its roots and follows the call graph.
* It stops at a function that is a root of another phase but not of this one,
  and at its own ``stops``.  A function that several phases share
  (``TpModelWorker.forward_batch_generation`` serves prefill, decode and
  verify) is a root of each, so none of them stops there; ``modes`` tells the
  phases apart inside it.
* Roots of an entry that does not ``claim`` them stop nobody: ordinary code may
  call them as well.
* A root with ``callers`` is one only where one of these calls it directly, or
  posts to its route.
* A root with a ``receiver`` or a ``self_class`` is a root only on such an
  object: the target's runner and the draft's share their code.  As a stop it
  counts on that object only, too.

The lists are the union over 0.5.8 to 0.5.23; a function that a revision lacks
is skipped.  Some phases have one entry per process.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from pathcheck.target import load

Role = Literal["main", "scheduler", "detokenizer", "controller"]
Receiver = Literal["target", "draft"]

_SRT = "sglang.srt."
_SPEC = _SRT + "speculative."
_MANAGERS = _SRT + "managers."
_EXECUTOR = _SRT + "model_executor."


@dataclass(frozen=True, slots=True)
class Root:
    """A function where a phase begins: ``module:qualified.name``."""

    function: str
    #: Which model's object it is called on, where both models share the code.
    receiver: Receiver | None
    reason: str
    #: The class of the object, where one function is inherited or borrowed
    #: by classes of different phases: ``module:Class``.
    self_class: str | None = None
    #: Forward modes on entry, where they differ from the phase's.
    modes: tuple[str, ...] | None = None
    #: The functions that call it for this phase; empty: whoever does.
    callers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PhaseRoots:
    """A phase in one process.

    ``modes`` are the members of ``ForwardMode`` that the batch may have in
    this phase, to be intersected with what the fixpoint finds; empty where
    the phase runs no forward.
    """

    phase: str
    role: Role
    roots: tuple[Root, ...]
    reason: str
    #: Further functions at which the walk stops.
    stops: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    #: Whether the roots stop other phases.
    claims: bool = True


def _roots(
    owner: str,
    names: str,
    reason: str,
    receiver: Receiver | None = None,
    self_class: str | None = None,
    modes: tuple[str, ...] | None = None,
    callers: tuple[str, ...] = (),
) -> tuple[Root, ...]:
    """Roots of one owner (``module:`` or ``module:Class.``) that share a reason."""
    return tuple(Root(owner + name, receiver, reason, self_class, modes, callers) for name in names.split())


_EXTEND = ("EXTEND", "MIXED", "SPLIT_PREFILL", "DLLM_EXTEND")
_BLOCK = ("TARGET_VERIFY",)

# ---------------------------------------------------------------------------
# Owners that several phases name

_TP_WORKER = _MANAGERS + "tp_worker:TpModelWorker."
_MLX_WORKER = _SRT + "hardware_backend.mlx.tp_worker:MlxTpModelWorker."
_EAGLE = _SPEC + "eagle_worker:EAGLEWorker."
_EAGLE_V2 = _SPEC + "eagle_worker_v2:EAGLEWorkerV2."
_EAGLE_DRAFT = _SPEC + "eagle_worker_v2:EagleDraftWorker."
_MULTI = _SPEC + "multi_layer_eagle_worker:MultiLayerEagleWorker."
_MULTI_V2 = _SPEC + "multi_layer_eagle_worker_v2:MultiLayerEagleWorkerV2."
_MULTI_DRAFT = _SPEC + "multi_layer_eagle_worker_v2:MultiLayerEagleDraftWorker."
_FROZEN = _SPEC + "frozen_kv_mtp_worker:FrozenKVMTPWorker."
_FROZEN_V2 = _SPEC + "frozen_kv_mtp_worker_v2:FrozenKVMTPWorkerV2."
_FROZEN_DRAFT = _SPEC + "frozen_kv_mtp_worker_v2:FrozenKVMTPDraftWorker."
_NGRAM = _SPEC + "ngram_worker:NGRAMWorker."
_DFLASH = _SPEC + "dflash_worker:DFlashWorker."
_DFLASH_V2 = _SPEC + "dflash_worker_v2:DFlashWorkerV2."
_DSPARK = _SPEC + "dspark_components.dspark_worker_v2:DSparkWorkerV2."
_UNO = _SPEC + "uno_worker_v2:UnoWorkerV2."

_GRAPH = _EXECUTOR + "cuda_graph_runner:CudaGraphRunner."
_DECODE_GRAPH = _EXECUTOR + "runner.decode_cuda_graph_runner:DecodeCudaGraphRunner."
_CPU_GRAPH = _EXECUTOR + "cpu_graph_runner:CPUGraphRunner."
_DRAFT_RUNNER = _SPEC + "eagle_draft_cuda_graph_runner:EAGLEDraftCudaGraphRunner"
_DRAFT_EXTEND_RUNNER = _SPEC + "eagle_draft_extend_cuda_graph_runner:EAGLEDraftExtendCudaGraphRunner"
_FROZEN_RUNNER = _SPEC + "frozen_kv_mtp_cuda_graph_runner:FrozenKVMTPCudaGraphRunner"
_UNO_RUNNER = _SPEC + "uno_cuda_graph_runner:UnoDecodeCudaGraphRunner"
_MULTI_RUNNERS = _SPEC + "multi_layer_eagle_draft_extend_cuda_graph_runner:"
_MULTI_RUNNER = _MULTI_RUNNERS + "MultiLayerEagleDraftExtendCudaGraphRunner"

_DISPATCH = "the speculative worker's entry; the scheduler's run_batch calls it for every batch"

# ---------------------------------------------------------------------------
# Start

_IMPORT = tuple(
    PhaseRoots("import", role, (), "module bodies, not functions: every module that the process loads")
    for role in ("main", "scheduler", "detokenizer", "controller")
)

_ARGS = (
    PhaseRoots(
        "args",
        "main",
        (
            *_roots(
                _SRT + "server_args:ServerArgs.",
                "__post_init__ check_server_args",
                "the contract's definition of the phase",
            ),
            *_roots(
                _SRT + "server_args:ServerArgs.",
                "resolve_once",
                "0.5.23 resolves here, once, instead of in __post_init__",
            ),
            *_roots(
                _SRT + "server_args:",
                "prepare_server_args",
                "turns the command line into ServerArgs; called at the bottom of launch_server",
            ),
            *_roots(
                _SRT + "server_args:ServerArgs.",
                "from_cli_args add_cli_args",
                "the command line's part of building the arguments",
            ),
        ),
        "only the launching process builds ServerArgs; the others unpickle it, which runs no __post_init__",
    ),
)

_INIT = (
    PhaseRoots(
        "init",
        "main",
        (
            *_roots("sglang.launch_server:", "run_server", "entry point python -m sglang.launch_server"),
            *_roots("sglang.cli.serve:", "serve", "entry point sglang serve"),
            *_roots(_SRT + "entrypoints.http_server:", "launch_server", "HTTP server, engine and warm-up"),
            *_roots(_SRT + "ray.http_server:", "launch_server", "the same with --use-ray"),
            *_roots(
                _SRT + "entrypoints.http_server:",
                "lifespan init_multi_tokenizer",
                "what the web framework runs before the first request, in each HTTP worker",
            ),
            *_roots(
                _SRT + "entrypoints.http_server:",
                "_wait_and_warmup _execute_server_warmup",
                "the warm-up thread; the request it sends counts in the phases it runs",
            ),
            *_roots(
                _SRT + "entrypoints.engine:Engine.",
                "__init__ _launch_subprocesses",
                "entry point sglang.Engine; _launch_subprocesses became a method in March 2026",
            ),
            *_roots(
                _SRT + "entrypoints.engine:", "_launch_subprocesses", "the same as a function, until then"
            ),
            *_roots(
                _SRT + "disaggregation.encode_server:",
                "launch_server",
                "--encoder-only: the encoder of a multimodal deployment",
            ),
            *(
                Root(e.function, None, "start-up posts to the route itself", callers=(e.called_by,))
                for e in load.ENTRIES
                if e.called_by is not None
            ),
            *_roots(_SRT + "disaggregation.encoder.http_server:", "launch_server", "the same in 0.5.23"),
        ),
        "from the launch to ready in the process that serves HTTP",
    ),
    PhaseRoots(
        "init",
        "scheduler",
        (
            *_roots(
                _MANAGERS + "scheduler:",
                "run_scheduler_process",
                "the target of each scheduler process: arguments, model, pools, backends, then the event "
                "loop",
            ),
            *_roots(
                _SRT + "ray.scheduler_actor:SchedulerActor.",
                "__init__ run_event_loop",
                "the same as a Ray actor with --use-ray",
            ),
        ),
        "process start to ready: model load, memory pools, backends, kernel warm-up. The event loops and the "
        "captures are roots of other phases, so the walk stops there",
    ),
    PhaseRoots(
        "init",
        "detokenizer",
        (
            *_roots(
                _MANAGERS + "detokenizer_manager:", "run_detokenizer_process", "the target of the process"
            ),
            *_roots(
                _MANAGERS + "multi_tokenizer_mixin:",
                "run_multi_detokenizer_router_process",
                "the router in front of several detokenizers",
            ),
        ),
        "process start to its event loop",
    ),
    PhaseRoots(
        "init",
        "controller",
        _roots(
            _MANAGERS + "data_parallel_controller:",
            "run_data_parallel_controller_process",
            "the target of the process; starts the schedulers of all replicas",
        ),
        "process start to its event loop; with dp_size above 1",
    ),
)

# ---------------------------------------------------------------------------
# Captures

_CAPTURES_TARGET = (
    "captures the graph of the target's decode step; under speculation that step is verify, and "
    "capture_forward_mode says so"
)


def _target_capture() -> tuple[Root, ...]:
    """The runner of the target's decode graph: which step it serves is its mode."""
    return (
        *_roots(_GRAPH, "capture", _CAPTURES_TARGET + "; gone in 0.5.23", "target"),
        *_roots(_DECODE_GRAPH, "capture", _CAPTURES_TARGET + "; 0.5.23", "target"),
        *_roots(
            _CPU_GRAPH, "capture", "the same on the CPU, where the graph is one of torch.compile", "target"
        ),
    )


_CAPTURES = (
    PhaseRoots(
        "capture-verify",
        "scheduler",
        (
            *_target_capture(),
            *_roots(
                _SPEC + "dspark_components.dspark_sampling_accept_graph:DsparkSamplingAcceptGraph.",
                "_capture",
                "the graph of DSPARK's accept step, captured at its first use",
            ),
        ),
        "with speculation the target has no decode graph, only this one. NPU and XPU runners inherit the "
        "roots. "
        "capture, not capture_one_batch_size: the loop around it, graph_capture() and the compilation "
        "belong to it",
        modes=("TARGET_VERIFY",),
    ),
    PhaseRoots(
        "capture-decode",
        "scheduler",
        _target_capture(),
        "the same code without speculation, or in a diffusion language model's block",
        modes=("DECODE", "DLLM_EXTEND"),
    ),
    PhaseRoots(
        "capture-draft",
        "scheduler",
        (
            *_roots(
                _DRAFT_RUNNER + ".",
                "capture capture_one_batch_size capture_one_shape",
                "the graph of all draft steps together",
            ),
            *_roots(
                _GRAPH,
                "capture",
                "EAGLEDraftCudaGraphRunner.capture calls it unbound, with itself as self",
                "draft",
                _DRAFT_RUNNER,
            ),
            *_roots(
                _DECODE_GRAPH,
                "capture",
                "0.5.23: inherited, or called unbound",
                "draft",
                _DRAFT_RUNNER,
            ),
            *_roots(
                _FROZEN_RUNNER + ".",
                "capture capture_one_batch_size capture_one_shape",
                "the graph of the draft steps of a draft without its own KV cache",
            ),
            *_roots(_GRAPH, "capture", "as for EAGLE", "draft", _FROZEN_RUNNER),
            *_roots(_DECODE_GRAPH, "capture", "as for EAGLE", "draft", _FROZEN_RUNNER),
            *_roots(
                _GRAPH,
                "capture",
                "DFLASH drafts a block with the draft's ordinary runner, in the mode of verify",
                "draft",
                _EXECUTOR + "cuda_graph_runner:CudaGraphRunner",
                _BLOCK,
            ),
            *_roots(
                _DECODE_GRAPH,
                "capture",
                "DFLASH and DSPARK in 0.5.23: the same",
                "draft",
                _EXECUTOR + "runner.decode_cuda_graph_runner:DecodeCudaGraphRunner",
                _BLOCK,
            ),
            *_roots(_UNO_RUNNER + ".", "capture_one_shape", "UNO's draft block", modes=_BLOCK),
            *_roots(_DECODE_GRAPH, "capture", "UNO's draft block", "draft", _UNO_RUNNER, _BLOCK),
        ),
        "draft steps decode one token each; block drafters use the mode of verify on the draft's runner",
        modes=("DECODE",),
    ),
    PhaseRoots(
        "capture-draft-extend",
        "scheduler",
        (
            *_roots(
                _DRAFT_EXTEND_RUNNER + ".",
                "capture capture_one_batch_size capture_one_shape",
                "the graph of the draft's extend after verify",
            ),
            *_roots(_GRAPH, "capture", "called unbound, as for the draft", "draft", _DRAFT_EXTEND_RUNNER),
            *_roots(_DECODE_GRAPH, "capture", "0.5.23: inherited", "draft", _DRAFT_EXTEND_RUNNER),
            *_roots(
                _MULTI_RUNNER + ".",
                "capture capture_one_batch_size capture_one_shape",
                "one graph per draft layer of a model with several",
            ),
            *_roots(_GRAPH, "capture", "called unbound, as for the draft", "draft", _MULTI_RUNNER),
            *_roots(_DECODE_GRAPH, "capture", "0.5.23: inherited", "draft", _MULTI_RUNNER),
            *_roots(
                _MULTI_RUNNERS + "OneGraphMultiLayerEagleMultiStepDraftExtendCudaGraphRunner.",
                "_capture_one_graph",
                "all draft layers in one graph",
            ),
        ),
        "DRAFT_EXTEND is the v1 workers' mode and ended with them; v2 uses DRAFT_EXTEND_V2",
        modes=("DRAFT_EXTEND", "DRAFT_EXTEND_V2"),
    ),
    PhaseRoots(
        "capture-pcg",
        "scheduler",
        (
            *_roots(
                _EXECUTOR + "piecewise_cuda_graph_runner:PiecewiseCudaGraphRunner.",
                "warmup_torch_compile warmup_compile capture",
                "compiles and captures the pieces of prefill; building the runner is init",
            ),
            *_roots(
                _EXECUTOR + "breakable_cuda_graph_runner:BreakableCudaGraphRunner.",
                "_warmup _capture_all",
                "the same with graphs that break at marked calls",
            ),
            *_roots(
                _EXECUTOR + "runner.prefill_cuda_graph_runner:PrefillCudaGraphRunner.",
                "capture",
                "0.5.23: one runner for every kind of prefill graph",
            ),
            *_roots(
                _EXECUTOR + "runner_backend.tc_piecewise_cuda_graph_backend:TcPiecewiseCudaGraphBackend.",
                "_run_compile_pass",
                "0.5.23: the compilation, where the backend is the piecewise one",
            ),
        ),
        "graphs of prefill, of the target or (0.5.23) of the draft",
        modes=("EXTEND",),
    ),
)

# ---------------------------------------------------------------------------
# A request on its way in

_HANDLERS = _roots(
    _MANAGERS + "scheduler:Scheduler.",
    "process_input_requests handle_generate_request handle_batch_generate_request",
    "runs in the scheduler's loop and ends in its queue: part of both admission and schedule",
)

_ADMISSION = (
    PhaseRoots(
        "admission",
        "main",
        (
            *(Root(e.function, None, e.reason) for e in load.ENTRIES if e.service is load.Service.ORDINARY),
            *_roots(
                _SRT + "entrypoints.openai.serving_base:OpenAIServingBase.",
                "handle_request",
                "behind both OpenAI routes",
            ),
            *_roots(
                _MANAGERS + "tokenizer_manager:TokenizerManager.",
                "generate_request",
                "validates, tokenizes and sends; where it waits for the answer, result begins",
            ),
            *_roots(
                _MANAGERS + "multi_tokenizer_mixin:MultiTokenizerRouter.",
                "router_worker_obj",
                "hands requests of several HTTP workers on",
            ),
            *_roots(
                _SRT + "grpc.grpc_request_manager:GrpcRequestManager.",
                "generate_request",
                "--grpc-mode, until March 2026",
            ),
        ),
        "from the HTTP server or the engine's call to the socket of the scheduler",
    ),
    PhaseRoots(
        "admission",
        "controller",
        _roots(
            _MANAGERS + "data_parallel_controller:DataParallelController.",
            "event_loop dispatching_with_trace dispatch_batch_generate round_robin_scheduler "
            "follow_bootstrap_room_scheduler total_requests_scheduler total_tokens_scheduler",
            "picks the replica of each request",
        ),
        "the controller does nothing else while serving",
    ),
    PhaseRoots("admission", "scheduler", _HANDLERS, "from the socket to the waiting queue"),
)

# ---------------------------------------------------------------------------
# The scheduler's loop

_LOOP = "a scheduler iteration; which loop runs is decided once, by the arguments"

_SCHEDULE = (
    PhaseRoots(
        "schedule",
        "scheduler",
        (
            *_roots(_MANAGERS + "scheduler:Scheduler.", "event_loop_normal event_loop_overlap", _LOOP),
            *_roots(
                _MANAGERS + "scheduler_pp_mixin:SchedulerPPMixin.",
                "event_loop_pp event_loop_pp_disagg_prefill event_loop_pp_disagg_decode",
                _LOOP + "; pipeline parallel",
            ),
            *_roots(
                _SRT + "disaggregation.prefill:SchedulerDisaggregationPrefillMixin.",
                "event_loop_normal_disagg_prefill event_loop_overlap_disagg_prefill",
                _LOOP + "; prefill server of a disaggregated deployment",
            ),
            *_roots(
                _SRT + "disaggregation.decode:SchedulerDisaggregationDecodeMixin.",
                "event_loop_normal_disagg_decode event_loop_overlap_disagg_decode",
                _LOOP + "; decode server of a disaggregated deployment",
            ),
            *_roots(
                _SRT + "multiplex.multiplexing_mixin:SchedulerMultiplexMixin.",
                "event_loop_pdmux",
                _LOOP + "; prefill and decode multiplexed",
            ),
            *_roots(
                _SRT + "hardware_backend.mlx.scheduler_mixin:SchedulerMlxOverlapMixin.",
                "event_loop_overlap_mlx",
                _LOOP + "; MLX",
            ),
            *_HANDLERS,
        ),
        "receiving, choosing and preparing batches, and run_batch up to the worker's "
        "forward_batch_generation; "
        "process_batch_result and on_idle begin other phases. launch_batch_sample_if_needed stays here: "
        "every "
        "overlapped iteration calls it, and only a grammar makes it sample",
    ),
)

# ---------------------------------------------------------------------------
# Forwards of the target

_MLX_FORWARD = _roots(
    _MLX_WORKER,
    "forward_batch_generation async_forward_batch_generation_mlx async_chained_decode_mlx "
    "finalize_mlx_result",
    "MLX runs its own forwards",
    "target",
)

_PREFILL = (
    PhaseRoots(
        "prefill",
        "scheduler",
        (
            *_roots(
                _TP_WORKER,
                "forward_batch_generation",
                "the target's forward, without speculation or below the speculative worker's first arm",
                "target",
            ),
            *_roots(_TP_WORKER, "forward_batch_split_prefill", "prefill in layers, multiplexed", "target"),
            *_roots(
                _MANAGERS + "tp_worker:BaseTpWorker.",
                "forward_batch_embedding",
                "an embedding or reward model's only forward",
                "target",
            ),
            *_MLX_FORWARD,
            *_roots(_EAGLE, "forward_batch_generation", _DISPATCH),
            *_roots(
                _EAGLE,
                "forward_target_extend",
                "the target's part of the first arm; StandaloneWorker inherits",
            ),
            *_roots(_EAGLE_V2, "forward_batch_generation", _DISPATCH),
            *_roots(
                _EAGLE_V2,
                "_forward_prefill_batch _forward_dp_spec_prefill_coordination",
                "0.5.23: the first arm as a method; the draft's part is a root of its own",
            ),
            *_roots(_MULTI, "forward_batch_generation forward_target_extend", "as EAGLEWorker"),
            *_roots(_MULTI_V2, "forward_batch_generation", "as EAGLEWorkerV2"),
            *_roots(_FROZEN, "forward_batch_generation forward_target_extend", "as EAGLEWorker"),
            *_roots(_FROZEN_V2, "forward_batch_generation", "as EAGLEWorkerV2"),
            *_roots(
                _NGRAM, "forward_batch_generation", "one body for prefill and verify; the mode divides it"
            ),
            *_roots(
                _DFLASH, "forward_batch_generation", "one body for prefill and verify; the mode divides it"
            ),
            *_roots(
                _DFLASH_V2, "forward_batch_generation", "one body for prefill and verify; the mode divides it"
            ),
            *_roots(
                _DSPARK,
                "forward_batch_generation _forward_prefill _forward_dp_spec_prefill_coordination",
                "the arm for prefill; what it puts into the draft's cache is not a forward of the draft",
            ),
            *_roots(_UNO, "forward_batch_generation _forward_prefill", "the arm for prefill"),
        ),
        "the target-model extend forward",
        modes=_EXTEND,
    ),
)

_DECODE = (
    PhaseRoots(
        "decode",
        "scheduler",
        (
            *_roots(
                _TP_WORKER,
                "forward_batch_generation",
                "without speculation it is the scheduler's model_worker itself; a speculative worker "
                "takes that "
                "place and calls the target for prefill and verify only, so the phase then has no root",
                "target",
                callers=(_MANAGERS + "scheduler:Scheduler.run_batch",),
            ),
            *_MLX_FORWARD,
        ),
        "the target-model decode forward without speculation",
        modes=("DECODE",),
    ),
)

# ---------------------------------------------------------------------------
# Forwards of the draft

_DRAFT_PREFILL = (
    PhaseRoots(
        "draft-prefill",
        "scheduler",
        (
            *_roots(
                _EAGLE,
                "forward_draft_extend",
                "fills the draft's cache with the prompt; StandaloneWorker too",
            ),
            *_roots(
                _EAGLE_DRAFT, "_draft_extend_for_prefill", "the same in v2; StandaloneDraftWorker inherits"
            ),
            *_roots(_MULTI, "forward_draft_extend", "the same, one pass per draft layer"),
            *_roots(_MULTI_DRAFT, "_draft_extend_for_prefill", "the same, one pass per draft layer"),
            *_roots(
                _FROZEN,
                "forward_draft_extend",
                "no cache to fill: a seed step in mode DECODE",
                modes=("DECODE",),
            ),
            *_roots(
                _FROZEN_DRAFT,
                "_draft_extend_for_prefill",
                "no cache to fill: a seed",
                modes=("DECODE",),
            ),
            *_roots(
                _DFLASH,
                "_append_target_hidden_to_draft_kv",
                "projects the target's hidden states into the draft's cache; no forward",
                "draft",
            ),
            *_roots(
                _DFLASH_V2,
                "_append_target_hidden_to_draft_kv_by_loc",
                "projects the target's hidden states into the draft's cache; no forward",
                "draft",
            ),
        ),
        "the draft model's forward over the prompt, after the target's",
        modes=("EXTEND", "MIXED"),
    ),
)

_DRAFT = (
    PhaseRoots(
        "draft",
        "scheduler",
        (
            *_roots(_EAGLE, "forward_batch_generation", _DISPATCH + "; its second arm begins with draft"),
            *_roots(_EAGLE, "draft", "prepares and runs the draft steps; StandaloneWorker inherits"),
            *_roots(_EAGLE_V2, "forward_batch_generation", _DISPATCH + "; its second arm begins with draft"),
            *_roots(
                _EAGLE_DRAFT, "draft", "prepares and runs the draft steps; StandaloneDraftWorker inherits"
            ),
            *_roots(_MULTI, "forward_batch_generation draft", "as EAGLEWorker"),
            *_roots(_MULTI_V2, "forward_batch_generation", "as EAGLEWorkerV2"),
            *_roots(_MULTI_DRAFT, "draft", "organises the tokens that the extend after verify drafted"),
            *_roots(_FROZEN, "forward_batch_generation draft", "as EAGLEWorker"),
            *_roots(_FROZEN_V2, "forward_batch_generation", "as EAGLEWorkerV2"),
            *_roots(_FROZEN_DRAFT, "draft", "as EagleDraftWorker"),
            *_roots(_NGRAM, "_prepare_for_speculative_decoding", "looks drafts up in the corpus; no model"),
            *_roots(
                _DFLASH,
                "_prepare_for_speculative_decoding",
                "drafts a block in the mode of verify",
                "draft",
                modes=_BLOCK,
            ),
            *_roots(
                _DFLASH_V2,
                "forward_batch_generation",
                "drafts in the body itself, in the mode of verify on the draft's runner",
                modes=("DECODE", "TARGET_VERIFY"),
            ),
            *_roots(_DSPARK, "_forward_decode", "the step: draft a block, verify, commit"),
            *_roots(
                _SPEC + "dspark_components.dspark_draft:DraftBlockProposer.",
                "propose",
                "drafts a block",
                "draft",
                modes=_BLOCK,
            ),
            *_roots(_UNO, "_forward_decode _forward_decode_tree", "the step: draft a block, verify"),
            *_roots(
                _UNO,
                "_run_draft_block",
                "drafts with the target's own model and an adapter",
                "target",
                modes=_BLOCK,
            ),
        ),
        "the draft steps. draft_forward is no root: capture-draft walks into it, and so does draft where "
        "it is "
        "not replayed. The worker's entry is walked in mode DECODE, so its first arm falls away",
        modes=("DECODE",),
    ),
)

_DRAFT_EXTEND = (
    PhaseRoots(
        "draft-extend",
        "scheduler",
        (
            *_roots(_EAGLE, "forward_draft_extend_after_decode", "v1; StandaloneWorker inherits"),
            *_roots(_EAGLE_DRAFT, "_draft_extend_for_decode", "v2; StandaloneDraftWorker inherits"),
            *_roots(
                _EAGLE_V2, "_stub_skipped_draft_extend", "0.5.23: what is left of it with no draft steps"
            ),
            *_roots(
                _MULTI, "forward_draft_extend_after_decode", "one pass per draft layer, which also drafts"
            ),
            *_roots(
                _MULTI_DRAFT,
                "_draft_extend_plan_for_decode _draft_extend_for_decode",
                "one pass per draft layer, which also drafts",
            ),
            *_roots(
                _FROZEN, "forward_draft_extend_after_decode", "a seed step in mode DECODE", modes=("DECODE",)
            ),
            *_roots(
                _FROZEN_DRAFT, "_draft_extend_for_decode", "a seed step in mode DECODE", modes=("DECODE",)
            ),
            *_roots(
                _DFLASH,
                "_append_target_hidden_to_draft_kv",
                "the same projection after verify",
                "draft",
            ),
            *_roots(
                _DFLASH_V2,
                "_append_target_hidden_to_draft_kv_by_loc",
                "the same projection after verify",
                "draft",
            ),
            *_roots(
                _SPEC + "dspark_components.dspark_verify:TargetVerifyExecutor.",
                "commit_hidden",
                "puts the accepted tokens' hidden states into the draft's cache",
            ),
        ),
        "the draft model's forward over the accepted tokens",
        modes=("DRAFT_EXTEND", "DRAFT_EXTEND_V2"),
    ),
)

_VERIFY = (
    PhaseRoots(
        "verify",
        "scheduler",
        (
            *_roots(_EAGLE, "verify", "prepare_for_verify, the target's forward, EagleVerifyInput.verify"),
            *_roots(_EAGLE_V2, "verify", "prepare_for_v2_verify, the target's forward, sample"),
            *_roots(_MULTI, "verify", "as EAGLEWorker"),
            *_roots(_MULTI_V2, "verify", "as EAGLEWorkerV2"),
            *_roots(_FROZEN, "verify", "as EAGLEWorker; FrozenKVMTPWorkerV2 inherits EAGLEWorkerV2.verify"),
            *_roots(
                _TP_WORKER,
                "forward_batch_generation",
                "called with is_verify=True; shared with prefill, so named here to be walked into",
                "target",
            ),
            *_roots(_NGRAM, "forward_batch_generation", "verifies in the body itself"),
            *_roots(_DFLASH, "forward_batch_generation", "verifies in the body itself"),
            *_roots(_DFLASH_V2, "forward_batch_generation", "verifies in the body itself"),
            *_roots(_DSPARK, "_forward_decode", "prepares, verifies and accepts in the body"),
            *_roots(
                _SPEC + "dspark_components.dspark_verify:TargetVerifyExecutor.",
                "run_compact run_non_compact",
                "the target's forward over the drafted block",
            ),
            *_roots(_UNO, "_forward_decode _forward_decode_tree", "verifies and accepts in the body"),
            *_roots(_UNO, "_run_target_block", "the target's forward over the drafted block", "target"),
        ),
        "the verify step. The model's Python runs here only where the graph is not replayed; what "
        "capture-verify "
        "reaches is baked into it. EAGLEWorker's entry is not a root: it only dispatches, and belongs to "
        "prefill "
        "and draft; the workers that verify in their entry are",
        modes=("TARGET_VERIFY",),
    ),
)

# ---------------------------------------------------------------------------
# After the forward

_RESULT = (
    PhaseRoots(
        "result",
        "scheduler",
        (
            *_roots(
                _MANAGERS + "scheduler:Scheduler.",
                "process_batch_result",
                "after each batch (normal loop) or during the next one (overlap)",
            ),
            *_roots(
                _MANAGERS + "scheduler_pp_mixin:SchedulerPPMixin.",
                "_pp_process_batch_result",
                "the same for a micro-batch of a pipeline",
            ),
            *_roots(
                _MANAGERS + "scheduler:Scheduler.",
                "_advance_pending_grammar",
                "0.5.23: part of a waiting batch's result, taken early from within verify",
            ),
        ),
        "a finished batch: tokens appended, requests finished, output sent",
    ),
    PhaseRoots(
        "result",
        "detokenizer",
        (
            *_roots(_MANAGERS + "detokenizer_manager:DetokenizerManager.", "event_loop", "ids to text"),
            *_roots(
                _MANAGERS + "multi_tokenizer_mixin:MultiHttpWorkerDetokenizerMixin.",
                "multi_http_worker_event_loop",
                "the same for several HTTP workers",
            ),
            *_roots(
                _MANAGERS + "multi_tokenizer_mixin:MultiDetokenizerRouter.",
                "event_loop",
                "in front of several detokenizers",
            ),
        ),
        "the process has no other task",
    ),
    PhaseRoots(
        "result",
        "main",
        (
            *_roots(
                _MANAGERS + "tokenizer_manager:TokenizerManager.",
                "handle_loop _handle_batch_output",
                "receives outputs and wakes the request that waits",
            ),
            *_roots(
                _MANAGERS + "tokenizer_manager:TokenizerManager.",
                "_wait_one_response _stream_one_response _collect_batch_responses _stream_batch_responses",
                "the request's own side of it",
            ),
            *_roots(
                _MANAGERS + "multi_tokenizer_mixin:MultiTokenizerRouter.",
                "handle_loop",
                "hands outputs to the HTTP worker that asked",
            ),
            *_roots(
                _SRT + "entrypoints.openai.serving_chat:OpenAIServingChat.",
                "_generate_chat_stream _build_chat_response",
                "formats the answer of a chat",
            ),
            *_roots(
                _SRT + "entrypoints.openai.serving_completions:OpenAIServingCompletion.",
                "_generate_completion_stream _build_completion_response",
                "formats the answer of a completion",
            ),
            *_roots(
                _SRT + "grpc.grpc_request_manager:GrpcRequestManager.",
                "handle_loop",
                "--grpc-mode, until March 2026",
            ),
        ),
        "a request's output on its way back to the client",
    ),
)

_IDLE = (
    PhaseRoots(
        "idle",
        "scheduler",
        (
            *_roots(
                _MANAGERS + "scheduler_runtime_checker_mixin:SchedulerRuntimeCheckerMixin.",
                "self_check_during_idle on_idle",
                "what the loop calls without a batch",
            ),
            *_roots(_MANAGERS + "scheduler:Scheduler.", "on_idle", "the same since May 2026"),
            *_roots(_MANAGERS + "scheduler:Scheduler.", "maybe_sleep_on_idle", "--sleep-on-idle"),
            *_roots(
                _EXECUTOR + "model_runner:ModelRunner.",
                "forward_idle",
                "a rank without requests takes part in the collectives of data-parallel attention",
            ),
            *_roots(
                _EXECUTOR + "runner.eager_runner:EagerRunner.",
                "_execute_idle",
                "the same in 0.5.23",
            ),
            *_roots(_SRT + "utils.watchdog:WatchdogRaw.", "_watchdog_thread", "the watchdog's thread"),
        ),
        "no batch to run on this rank",
        modes=("IDLE",),
    ),
    PhaseRoots(
        "idle",
        "main",
        (
            *_roots(
                _MANAGERS + "tokenizer_manager:TokenizerManager.", "sigterm_watchdog", "waits for the end"
            ),
            *_roots(_SRT + "utils.watchdog:WatchdogRaw.", "_watchdog_thread", "the watchdog's thread"),
            *_roots(
                _SRT + "utils.watchdog:SubprocessWatchdog.",
                "_monitor_loop",
                "watches the other processes",
            ),
        ),
        "what runs beside the requests",
    ),
    PhaseRoots(
        "idle",
        "detokenizer",
        _roots(_SRT + "utils.watchdog:WatchdogRaw.", "_watchdog_thread", "the watchdog's thread"),
        "what runs beside the requests",
    ),
)

# ---------------------------------------------------------------------------
# Control


def _control(services: Iterable[load.Service]) -> tuple[Root, ...]:
    return tuple(Root(e.function, None, e.reason) for e in load.ENTRIES if e.service in services)


_MAINTENANCE = (
    PhaseRoots(
        "maintenance",
        "main",
        (
            *_control((load.Service.ADMINISTRATION, load.Service.HEALTH)),
            *_roots(
                _MANAGERS + "tokenizer_manager:TokenizerManager.",
                "update_weights_from_disk pause_generation continue_generation configure_logging freeze_gc",
                "the tokenizer manager's part of a control request",
            ),
        ),
        "control and health requests: load.ENTRIES says which; administration only when the closed world "
        "is opened",
        claims=False,
    ),
    PhaseRoots(
        "maintenance",
        "scheduler",
        (
            *(
                Root(f, None, "the scheduler's handler of a control request")
                for f in load.CONTROL_HANDLERS
                if ":Detokenizer" not in f
            ),
        ),
        "handlers that the dispatcher calls for messages of administration. They claim nothing: start-up and "
        "ordinary code call some of them too (flush_cache, handle_freeze_gc)",
        claims=False,
    ),
    PhaseRoots(
        "maintenance",
        "detokenizer",
        tuple(
            Root(f, None, "the detokenizer's handler of a control request")
            for f in load.CONTROL_HANDLERS
            if ":Detokenizer" in f
        ),
        "handlers of control messages that the scheduler hands on",
        claims=False,
    ),
)

#: All phases, in the order of the contract; several entries where several processes take part.
PHASE_ROOTS: tuple[PhaseRoots, ...] = (
    *_IMPORT,
    *_ARGS,
    *_INIT,
    *_CAPTURES,
    *_ADMISSION,
    *_SCHEDULE,
    *_PREFILL,
    *_DECODE,
    *_DRAFT_PREFILL,
    *_DRAFT,
    *_DRAFT_EXTEND,
    *_VERIFY,
    *_RESULT,
    *_IDLE,
    *_MAINTENANCE,
)


def entries_of(phase: str) -> tuple[PhaseRoots, ...]:
    """The entries of a phase, one per process that takes part in it."""
    return tuple(p for p in PHASE_ROOTS if p.phase == phase)
