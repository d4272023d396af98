"""The ordinary load as data: what any server meets in normal service.

docs/contract.md defines it in words: text requests with every optional field
at its default, batches of every size, greedy and sampled, requests that
finish, memory and token budget at hand.  Here the words become names in
SGLang's source: which entry functions take such requests, which fields vary,
what a few functions then answer, what lies outside, and which messages pass
between the processes.  The union over 0.5.8 to 0.5.23; a name that a revision
lacks says nothing about it.

Two rules hold for whoever reads these tables:

* They never make code dead.  They tell ``reachable`` from ``conditional``:
  the arm that the ordinary load takes is satisfied, the other one stays open
  at run time.
* They only resolve what the facts leave open.  Where the analysis finds a
  single value, that value stands.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

_SRT = "sglang.srt."
_HTTP = _SRT + "entrypoints.http_server:"
_ENGINE = _SRT + "entrypoints.engine:Engine."
_IO = _SRT + "managers.io_struct:"
_SCHEDULER = _SRT + "managers.scheduler:Scheduler."


class Service(Enum):
    """How a request or message relates to ordinary service."""

    #: Part of the ordinary load.
    ORDINARY = "ordinary"
    #: A client may send it, but not an ordinary one: conditional, run time.
    CLIENT = "client"
    #: A health check: conditional, run time.
    HEALTH = "health"
    #: Administration: the closed world keeps it out unless it is opened.
    ADMINISTRATION = "administration"


class Outcome(Enum):
    """What the ordinary load makes of a value that the facts leave open."""

    TRUE = "true"
    FALSE = "false"
    #: Both happen: every arm that depends on it is satisfied.
    EITHER = "either"
    NONE = "none"
    NOT_NONE = "not-none"


@dataclass(frozen=True, slots=True)
class Entry:
    """A function of the main process that a client's call enters."""

    function: str
    service: Service
    reason: str
    #: HTTP paths; empty for a method of ``sglang.Engine``.
    routes: tuple[str, ...] = ()
    #: The class of the request it takes, where it has one of its own.
    request: str | None = None
    #: The function of start-up that posts to the route itself: where a revision
    #: has it, the entry runs in ``init`` whatever its service.
    called_by: str | None = None


@dataclass(frozen=True, slots=True)
class Varying:
    """A field that differs between ordinary requests."""

    name: str
    values: str


@dataclass(frozen=True, slots=True)
class RequestClass:
    """A class of request; fields that are not listed keep their default."""

    name: str
    service: Service
    varies: tuple[Varying, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class OrdinaryResult:
    """What a function returns under the ordinary load."""

    function: str
    value: Outcome
    reason: str
    #: Enum members, where the result is one of a few: "AddReqResult.CONTINUE".
    members: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class OrdinaryAttribute:
    """What an attribute holds under the ordinary load."""

    cls: str
    attribute: str
    value: Outcome
    reason: str


@dataclass(frozen=True, slots=True)
class OutsideLoad:
    """A function that only something other than the ordinary load enters."""

    function: str
    #: What leads there, in the words that a guard of kind ``runtime`` shows.
    event: str
    reason: str


@dataclass(frozen=True, slots=True)
class Message:
    """A class of object that one process sends to another."""

    name: str
    sender: str
    receiver: str
    service: Service
    reason: str


# ---------------------------------------------------------------------------
# (a) Entry functions of the main process


def _http(service: Service, reason: str, *functions: tuple[str, str]) -> tuple[Entry, ...]:
    return tuple(Entry(_HTTP + f, service, reason, tuple(r.split())) for f, r in functions)


def _engine(service: Service, reason: str, *names: str) -> tuple[Entry, ...]:
    return tuple(Entry(_ENGINE + n, service, reason) for n in names)


_GENERATES = "takes a prompt and answers with text: what a server of a language model is for"
_OTHER_API = "another interface or another task; a client chooses it, the ordinary load does not"
_READS = "reads state; clients and routers call it, but it is no text request"

ENTRIES: tuple[Entry, ...] = (
    Entry(_HTTP + "generate_request", Service.ORDINARY, _GENERATES, ("/generate",), _IO + "GenerateReqInput"),
    Entry(
        _HTTP + "openai_v1_completions",
        Service.ORDINARY,
        _GENERATES,
        ("/v1/completions",),
        _SRT + "entrypoints.openai.protocol:CompletionRequest",
    ),
    Entry(
        _HTTP + "openai_v1_chat_completions",
        Service.ORDINARY,
        _GENERATES,
        ("/v1/chat/completions",),
        _SRT + "entrypoints.openai.protocol:ChatCompletionRequest",
    ),
    *_engine(
        Service.ORDINARY,
        "the same as /generate for entry point sglang.Engine, without HTTP",
        "generate",
        "async_generate",
    ),
    *_http(
        Service.HEALTH,
        "a probe of liveness; /health_generate sends a request with a HEALTH_CHECK id",
        ("health_generate", "/health /health_generate"),
        ("sagemaker_health", "/ping"),
        ("ready", "/ready"),
    ),
    *_http(
        Service.CLIENT,
        _OTHER_API,
        ("classify_request", "/classify"),
        ("openai_v1_embeddings", "/v1/embeddings"),
        ("openai_v1_classify", "/v1/classify"),
        ("openai_v1_tokenize", "/v1/tokenize /tokenize"),
        ("openai_v1_detokenize", "/v1/detokenize /detokenize"),
        ("openai_v1_audio_transcriptions", "/v1/audio/transcriptions"),
        ("openai_v1_realtime_transcription", "/v1/realtime"),
        ("v1_score_request", "/v1/score"),
        ("v1_decisions_request", "/v1/decisions"),
        ("systemone_decisions", "/v1/systemone"),
        ("v1_rerank_request", "/v1/rerank"),
        ("v1_responses_request", "/v1/responses"),
        ("v1_retrieve_responses", "/v1/responses/{response_id}"),
        ("v1_cancel_responses", "/v1/responses/{response_id}/cancel"),
        ("anthropic_v1_messages", "/v1/messages"),
        ("anthropic_v1_count_tokens", "/v1/messages/count_tokens"),
        ("ollama_chat", "/api/chat"),
        ("ollama_generate", "/api/generate"),
        ("ollama_tags", "/api/tags"),
        ("ollama_show", "/api/show"),
        ("sagemaker_chat_completions", "/invocations"),
        ("vertex_generate", "/vertex_generate"),
        ("parse_function_call_request", "/parse_function_call"),
        ("separate_reasoning_request", "/separate_reasoning"),
    ),
    *_http(
        Service.CLIENT,
        _READS,
        ("get_model_info", "/get_model_info"),
        ("weight_version", "/get_weight_version /weight_version"),
        ("get_server_info", "/get_server_info"),
        ("server_info", "/server_info"),
        ("get_load", "/get_load"),
        ("available_models", "/v1/models"),
        ("retrieve_model", "/v1/models/{model:path}"),
    ),
    Entry(
        _HTTP + "model_info",
        Service.CLIENT,
        _READS,
        ("/model_info",),
        called_by=_HTTP + "_execute_server_warmup",
    ),
    Entry(
        _HTTP + "encode_request",
        Service.CLIENT,
        _OTHER_API,
        ("/encode",),
        _IO + "EmbeddingReqInput",
        called_by=_HTTP + "_execute_server_warmup",
    ),
    Entry(
        _HTTP + "freeze_gc_async",
        Service.ADMINISTRATION,
        "freezes the garbage collector of all processes; 0.5.23 posts it once after its own warm-up",
        ("/freeze_gc",),
        called_by=_HTTP + "_freeze_gc_after_server_warmup",
    ),
    *_http(
        Service.CLIENT,
        "a client gives up a request; the ordinary load's requests finish",
        ("abort_request", "/abort_request"),
    ),
    *_http(
        Service.CLIENT,
        "sessions are an optional feature of a request",
        ("open_session", "/open_session"),
        ("close_session", "/close_session"),
    ),
    *_http(
        Service.ADMINISTRATION,
        "changes weights or adapters of a running server",
        ("update_weights_from_disk", "/update_weights_from_disk"),
        ("init_weights_send_group_for_remote_instance", "/init_weights_send_group_for_remote_instance"),
        ("send_weights_to_remote_instance", "/send_weights_to_remote_instance"),
        ("get_remote_instance_transfer_engine_info", "/get_remote_instance_transfer_engine_info"),
        ("remote_instance_transfer_engine_info", "/remote_instance_transfer_engine_info"),
        ("init_weights_update_group", "/init_weights_update_group"),
        ("destroy_weights_update_group", "/destroy_weights_update_group"),
        ("update_weights_from_tensor", "/update_weights_from_tensor"),
        ("update_weights_from_distributed", "/update_weights_from_distributed"),
        ("update_weights_from_ipc", "/update_weights_from_ipc"),
        ("begin_weight_update", "/begin_weight_update"),
        ("end_weight_update", "/end_weight_update"),
        ("update_weight_version", "/update_weight_version"),
        ("get_weights_by_name", "/get_weights_by_name"),
        ("check_weights", "/weights_checker"),
        ("load_lora_adapter", "/load_lora_adapter"),
        ("load_lora_adapter_from_tensors", "/load_lora_adapter_from_tensors"),
        ("unload_lora_adapter", "/unload_lora_adapter"),
    ),
    *_http(
        Service.ADMINISTRATION,
        "changes caches, memory, logging, scheduling or arguments of a running server",
        ("set_internal_state", "/set_internal_state"),
        ("flush_cache", "/flush_cache"),
        ("clear_hicache_storage_backend", "/hicache/storage-backend/clear"),
        ("attach_hicache_storage_backend", "/hicache/storage-backend"),
        ("detach_hicache_storage_backend", "/hicache/storage-backend"),
        ("hicache_storage_backend_status", "/hicache/storage-backend"),
        ("get_hicache_l3_cache_layout", "/get_hicache_l3_cache_layout"),
        ("pin_prefix", "/hicache/pin_prefix"),
        ("add_external_corpus", "/add_external_corpus"),
        ("remove_external_corpus", "/remove_external_corpus"),
        ("list_external_corpora", "/list_external_corpora"),
        ("release_memory_occupation", "/release_memory_occupation"),
        ("resume_memory_occupation", "/resume_memory_occupation"),
        ("slow_down", "/slow_down"),
        ("pd_role_switch", "/pd_role_switch"),
        ("configure_logging", "/configure_logging"),
        ("set_trace_level", "/set_trace_level"),
        ("pause_generation", "/pause_generation"),
        ("continue_generation", "/continue_generation"),
        ("_dumper_control_handler", "/dumper/{method}"),
    ),
    *_http(
        Service.ADMINISTRATION,
        "profiling and recording",
        ("start_profile_async", "/start_profile"),
        ("stop_profile_async", "/stop_profile"),
        ("start_expert_distribution_record_async", "/start_expert_distribution_record"),
        ("stop_expert_distribution_record_async", "/stop_expert_distribution_record"),
        ("dump_expert_distribution_record_async", "/dump_expert_distribution_record"),
    ),
    *_engine(Service.CLIENT, _OTHER_API, "encode", "async_encode", "rerank", "score", "async_score"),
    *_engine(
        Service.CLIENT, "sessions are an optional feature of a request", "open_session", "close_session"
    ),
    *_engine(Service.CLIENT, _READS, "get_server_info", "get_model_info"),
    *_engine(
        Service.ADMINISTRATION,
        "administration of a running engine, the methods behind the HTTP routes above",
        "flush_cache",
        "start_profile",
        "stop_profile",
        "start_expert_distribution_record",
        "stop_expert_distribution_record",
        "dump_expert_distribution_record",
        "init_weights_update_group",
        "destroy_weights_update_group",
        "update_weights_from_distributed",
        "update_weights_from_tensor",
        "update_weights_from_disk",
        "update_weights_from_ipc",
        "begin_weight_update",
        "end_weight_update",
        "get_weights_by_name",
        "load_lora_adapter",
        "load_lora_adapter_from_tensors",
        "unload_lora_adapter",
        "async_load_lora_adapter",
        "async_unload_lora_adapter",
        "release_memory_occupation",
        "resume_memory_occupation",
        "freeze_gc",
        "collective_rpc",
        "save_remote_model",
        "save_sharded_model",
    ),
)

# ---------------------------------------------------------------------------
# (b) Requests

_TEMPERATURE = Varying("temperature", "0 (greedy) and above 0 (sampled), also mixed in one batch")
_STREAM = Varying("stream", "false and true")
_ONE_TO_CONTEXT = "from one token to the context length"

REQUESTS: tuple[RequestClass, ...] = (
    RequestClass(
        _IO + "GenerateReqInput",
        Service.ORDINARY,
        (
            Varying(
                "text", f"a string or a list of strings, {_ONE_TO_CONTEXT}; or None when input_ids is given"
            ),
            Varying("input_ids", f"a list of token ids or a list of lists, {_ONE_TO_CONTEXT}; or None"),
            Varying("sampling_params", "None, or a dict with temperature and max_new_tokens"),
            _STREAM,
            Varying("rid", "None or any string that does not start with HEALTH_CHECK"),
        ),
        "text, input_ids, sampling_params and stream are what every example of /generate sets; rid names "
        "a request",
    ),
    RequestClass(
        _SRT + "entrypoints.openai.protocol:ChatCompletionRequest",
        Service.ORDINARY,
        (
            Varying(
                "messages", f"a list of messages with text content, {_ONE_TO_CONTEXT} after the template"
            ),
            Varying("model", "the served model's name"),
            Varying("max_tokens", "None or a positive number"),
            Varying("max_completion_tokens", "None or a positive number"),
            _TEMPERATURE,
            _STREAM,
            Varying("rid", "None or any string that does not start with HEALTH_CHECK"),
        ),
        "messages is the one required field; the rest of the list is what a plain client sets",
    ),
    RequestClass(
        _SRT + "entrypoints.openai.protocol:CompletionRequest",
        Service.ORDINARY,
        (
            Varying("prompt", f"a string, token ids, or a list of either, {_ONE_TO_CONTEXT}"),
            Varying("model", "the served model's name"),
            Varying("max_tokens", "a positive number"),
            _TEMPERATURE,
            _STREAM,
            Varying("rid", "None or any string that does not start with HEALTH_CHECK"),
        ),
        "prompt is the one required field; the rest of the list is what a plain client sets",
    ),
    RequestClass(
        _SRT + "sampling.sampling_params:SamplingParams",
        Service.ORDINARY,
        (
            _TEMPERATURE,
            Varying("max_new_tokens", "a positive number"),
            Varying("top_k", "-1, or 1: normalisation turns temperature 0 into top_k 1"),
        ),
        "made from the request; with --sampling-defaults model the OpenAI routes fill top_p, top_k, "
        "min_p and "
        "repetition_penalty from the model's generation_config.json, so these are a fact of the model, not "
        "the load's",
    ),
    RequestClass(
        _IO + "TokenizedGenerateReqInput",
        Service.ORDINARY,
        (
            Varying("input_text", "the prompt, or None when token ids came in"),
            Varying("input_ids", _ONE_TO_CONTEXT),
            Varying("sampling_params", "as SamplingParams"),
            _STREAM,
            Varying("rid", "any string that does not start with HEALTH_CHECK"),
        ),
        "what the tokenizer manager makes of each of the three",
    ),
    RequestClass(
        _IO + "BatchTokenizedGenerateReqInput",
        Service.ORDINARY,
        (Varying("batch", "a list of TokenizedGenerateReqInput"),),
        "a list of prompts given as token ids, or any list with --enable-tokenizer-batch-encode",
    ),
    RequestClass(
        _IO + "EmbeddingReqInput",
        Service.CLIENT,
        (),
        "an embedding or reward model is asked for vectors: not a text request of the contract",
    ),
    RequestClass(
        _IO + "TokenizedEmbeddingReqInput",
        Service.CLIENT,
        (),
        "what becomes of an EmbeddingReqInput",
    ),
    RequestClass(
        _IO + "BatchTokenizedEmbeddingReqInput",
        Service.CLIENT,
        (),
        "what becomes of a list of them",
    ),
)

# ---------------------------------------------------------------------------
# (c) Results and attributes


def _results(
    value: Outcome, reason: str, functions: Iterable[str], members: tuple[str, ...] = ()
) -> tuple[OrdinaryResult, ...]:
    return tuple(OrdinaryResult(_SRT + f, value, reason, members) for f in functions)


_MEMORY = "memory is available: the pool has free slots for what is asked"

_ALLOCATIONS: tuple[str, ...] = (
    "mem_cache.memory_pool:ReqToTokenPool.alloc",
    "mem_cache.memory_pool:HybridReqToTokenPool.alloc",
    "mem_cache.allocator:TokenToKVPoolAllocator.alloc",
    "mem_cache.allocator:PagedTokenToKVPoolAllocator.alloc",
    "mem_cache.allocator:PagedTokenToKVPoolAllocator.alloc_extend",
    "mem_cache.allocator:PagedTokenToKVPoolAllocator.alloc_decode",
    "mem_cache.swa_memory_pool:SWATokenToKVPoolAllocator.alloc",
    "mem_cache.swa_memory_pool:SWATokenToKVPoolAllocator.alloc_extend",
    "mem_cache.swa_memory_pool:SWATokenToKVPoolAllocator.alloc_decode",
    "mem_cache.allocator.token:TokenToKVPoolAllocator.alloc",
    "mem_cache.allocator.paged:PagedTokenToKVPoolAllocator.alloc",
    "mem_cache.allocator.paged:PagedTokenToKVPoolAllocator.alloc_extend",
    "mem_cache.allocator.paged:PagedTokenToKVPoolAllocator.alloc_decode",
    "mem_cache.allocator.swa:SWATokenToKVPoolAllocator.alloc",
    "mem_cache.allocator.swa:SWATokenToKVPoolAllocator.alloc_extend",
    "mem_cache.allocator.swa:SWATokenToKVPoolAllocator.alloc_decode",
    "mem_cache.allocator.swa:PureSWATokenToKVPoolAllocator.alloc",
    "mem_cache.allocator.swa:PureSWATokenToKVPoolAllocator.alloc_extend",
    "mem_cache.allocator.swa:PureSWATokenToKVPoolAllocator.alloc_decode",
    "mem_cache.allocator.unified_mamba:UnifiedMambaTokenToKVPoolAllocator.alloc",
    "mem_cache.allocator.unified_mamba:UnifiedMambaTokenToKVPoolAllocator.alloc_extend",
    "mem_cache.allocator.unified_mamba:UnifiedMambaTokenToKVPoolAllocator.alloc_decode",
    "mem_cache.hisparse_memory_pool:HiSparseTokenToKVPoolAllocator.alloc",
    "mem_cache.hisparse_memory_pool:HiSparseTokenToKVPoolAllocator.alloc_extend",
    "mem_cache.hisparse_memory_pool:HiSparseTokenToKVPoolAllocator.alloc_decode",
    "mem_cache.allocator.hisparse:HiSparseTokenToKVPoolAllocator.alloc",
    "mem_cache.allocator.hisparse:HiSparseTokenToKVPoolAllocator.alloc_extend",
    "mem_cache.allocator.hisparse:HiSparseTokenToKVPoolAllocator.alloc_decode",
    "hardware_backend.npu.allocator_npu:NPUPagedTokenToKVPoolAllocator.alloc_extend",
    "hardware_backend.npu.allocator_npu:NPUPagedTokenToKVPoolAllocator.alloc_decode",
)

RESULTS: tuple[OrdinaryResult, ...] = (
    *_results(
        Outcome.TRUE,
        "memory is available for the next decode step, so nothing is retracted",
        (
            "managers.schedule_batch:ScheduleBatch.check_decode_mem",
            "managers.schedule_batch:ScheduleBatch._is_available_size_sufficient",
        ),
    ),
    *_results(Outcome.NOT_NONE, _MEMORY, _ALLOCATIONS),
    *_results(
        Outcome.NOT_NONE,
        "the token budget is available, so never NO_TOKEN; OTHER happens in ordinary service, when the "
        "chunk's or "
        "the prefill batch's share of tokens is used up and the rest waits one iteration",
        (
            "managers.schedule_policy:PrefillAdder.add_one_req",
            "managers.schedule_policy:PrefillAdder.add_one_req_ignore_eos",
            "managers.schedule_policy:PrefillAdder.budget_state",
        ),
        ("AddReqResult.CONTINUE", "AddReqResult.OTHER"),
    ),
    *_results(
        Outcome.EITHER,
        "a prompt longer than a chunk continues (the request) or ends with this chunk (None)",
        ("managers.schedule_policy:PrefillAdder.add_chunked_req",),
    ),
    *_results(
        Outcome.FALSE,
        "priority is an optional field at its default, so no request outranks a running one",
        ("managers.schedule_policy:PrefillAdder.preempt_to_schedule",),
    ),
    *_results(
        Outcome.FALSE,
        "ordinary request ids do not start with HEALTH_CHECK",
        (
            "managers.scheduler:is_health_check_generate_req",
            "managers.utils:is_health_check_generate_req",
            "managers.detokenizer_manager:is_health_check_request",
            "managers.detokenizer_manager:DetokenizerManager.is_health_check_request",
        ),
    ),
    *_results(
        Outcome.FALSE,
        "the waiting queue is below --max-queued-requests, which is a limit for overload",
        ("managers.scheduler:Scheduler._abort_on_queued_limit",),
    ),
    *_results(
        Outcome.TRUE,
        "priority is an optional field at its default, which every scheduling mode accepts",
        ("managers.scheduler:Scheduler._set_or_validate_priority",),
    ),
    *_results(
        Outcome.EITHER,
        "requests finish, and until then they have not finished",
        ("managers.schedule_batch:Req.finished",),
    ),
    *_results(
        Outcome.EITHER,
        "the running batch fills and drains as requests come and finish",
        (
            "managers.schedule_batch:ScheduleBatch.is_empty",
            "managers.scheduler:Scheduler._is_no_request",
            "managers.scheduler:Scheduler.is_fully_idle",
        ),
    ),
    *_results(
        Outcome.FALSE,
        "max_new_tokens is positive: every request generates",
        ("managers.schedule_batch:Req.is_prefill_only",),
    ),
    *_results(
        Outcome.FALSE,
        "text requests: no image, audio or video",
        (
            "managers.io_struct:GenerateReqInput.contains_mm_input",
            "model_executor.forward_batch_info:ForwardBatch.contains_mm_inputs",
            "model_executor.forward_batch_info:ForwardBatch.contains_image_inputs",
            "model_executor.forward_batch_info:ForwardBatch.contains_audio_inputs",
            "model_executor.forward_batch_info:ForwardBatch.contains_video_inputs",
            "managers.tokenizer_manager:TokenizerManager._should_dispatch_to_encoder",
        ),
    ),
    *_results(
        Outcome.TRUE,
        "lora_path is at its default: no request brings an adapter, so none exceeds the slots",
        (
            "managers.tp_worker:BaseTpWorker.can_run_lora_batch",
            "managers.scheduler:Scheduler._can_schedule_lora_req",
            "managers.scheduler:Scheduler.can_schedule_lora_req",
            "lora.lora_manager:LoRAManager.validate_lora_batch",
        ),
    ),
    *_results(
        Outcome.FALSE,
        "regex, ebnf, json_schema and response_format are at their defaults: no grammar compiles",
        ("constrained.grammar_manager:GrammarManager.has_waiting_grammars",),
    ),
    *_results(
        Outcome.TRUE,
        "batches are at most as large as the largest captured one",
        (
            "model_executor.cuda_graph_runner:CudaGraphRunner.can_run",
            "model_executor.cpu_graph_runner:CPUGraphRunner.can_run",
            "model_executor.cpu_graph_runner:CPUGraphRunner.can_run_graph",
            "model_executor.runner.decode_cuda_graph_runner:DecodeCudaGraphRunner.can_run_graph",
            "speculative.eagle_draft_cuda_graph_runner:EAGLEDraftCudaGraphRunner.can_run",
            "speculative.eagle_draft_cuda_graph_runner:EAGLEDraftCudaGraphRunner.can_run_graph",
            "speculative.eagle_draft_extend_cuda_graph_runner:EAGLEDraftExtendCudaGraphRunner.can_run",
            "speculative.eagle_draft_extend_cuda_graph_runner:EAGLEDraftExtendCudaGraphRunner.can_run_graph",
            "speculative.frozen_kv_mtp_cuda_graph_runner:FrozenKVMTPCudaGraphRunner.can_run",
            "speculative.frozen_kv_mtp_cuda_graph_runner:FrozenKVMTPCudaGraphRunner.can_run_graph",
            "speculative.multi_layer_eagle_draft_extend_cuda_graph_runner:"
            "MultiLayerEagleDraftExtendCudaGraphRunner.can_run",
            "speculative.multi_layer_eagle_draft_extend_cuda_graph_runner:"
            "MultiLayerEagleDraftExtendCudaGraphRunner.can_run_graph",
            "speculative.multi_layer_eagle_draft_extend_cuda_graph_runner:"
            "MultiLayerEagleMultiStepDraftExtendCudaGraphRunner.can_run",
            "speculative.multi_layer_eagle_draft_extend_cuda_graph_runner:"
            "MultiLayerEagleMultiStepDraftExtendCudaGraphRunner.can_run_graph",
            "speculative.uno_cuda_graph_runner:UnoDecodeCudaGraphRunner.can_run_graph",
        ),
    ),
    *_results(
        Outcome.EITHER,
        "prompts go up to the context length: below the largest captured size and above it",
        (
            "model_executor.piecewise_cuda_graph_runner:PiecewiseCudaGraphRunner.can_run",
            "model_executor.breakable_cuda_graph_runner:BreakableCudaGraphRunner.can_run",
            "model_executor.runner.prefill_cuda_graph_runner:PrefillCudaGraphRunner.can_run_graph",
        ),
    ),
    OrdinaryResult(
        "starlette.requests:Request.is_disconnected",
        Outcome.FALSE,
        "clients wait for their answer",
    ),
)


def _attributes(cls: str, *rows: tuple[str, Outcome, str]) -> tuple[OrdinaryAttribute, ...]:
    return tuple(OrdinaryAttribute(_SRT + cls, name, value, reason) for name, value, reason in rows)


ATTRIBUTES: tuple[OrdinaryAttribute, ...] = (
    *_attributes(
        "managers.schedule_batch:Req",
        ("is_retracted", Outcome.FALSE, "memory is available, so nothing is retracted"),
        ("to_finish", Outcome.NONE, "set only to abort a request"),
        ("grammar", Outcome.NONE, "no field of the request asks for constrained output"),
        ("return_logprob", Outcome.FALSE, "an optional field at its default"),
        ("return_hidden_states", Outcome.FALSE, "an optional field at its default"),
        ("lora_id", Outcome.NONE, "an optional field at its default"),
        ("session", Outcome.NONE, "an optional field at its default"),
        ("multimodal_inputs", Outcome.NONE, "text requests"),
        ("stream", Outcome.EITHER, "clients ask for both"),
    ),
    *_attributes(
        "managers.schedule_batch:ScheduleBatch",
        ("has_grammar", Outcome.FALSE, "no request has a grammar"),
        ("return_logprob", Outcome.FALSE, "an optional field at its default"),
        ("return_hidden_states", Outcome.FALSE, "an optional field at its default"),
        ("batch_is_full", Outcome.EITHER, "batches go up to the largest size, where the batch is full"),
    ),
    *_attributes(
        "sampling.sampling_batch_info:SamplingBatchInfo",
        ("is_all_greedy", Outcome.EITHER, "greedy, sampled and mixed batches"),
        (
            "need_top_k_sampling",
            Outcome.EITHER,
            "a greedy request in the batch has top_k 1, a sampled one all",
        ),
        ("need_top_p_sampling", Outcome.EITHER, "1.0 by default, but generation_config.json often sets it"),
        ("need_min_p_sampling", Outcome.FALSE, "0 by default, and rarely set by a model"),
    ),
)


def _outside(event: str, reason: str, *functions: str) -> tuple[OutsideLoad, ...]:
    return tuple(OutsideLoad(_SRT + f, event, reason) for f in functions)


OUTSIDE: tuple[OutsideLoad, ...] = (
    *_outside(
        "memory pressure: a running request is retracted",
        "called when the next decode step does not fit",
        "managers.schedule_batch:ScheduleBatch.retract_decode",
    ),
    *_outside(
        "the engine is paused in retract mode",
        "called by a control request",
        "managers.schedule_batch:ScheduleBatch.retract_all",
    ),
    *_outside(
        "memory pressure: an allocation failed",
        "formats the message of the error",
        "mem_cache.common:available_and_evictable_str",
        "mem_cache.base_prefix_cache:BasePrefixCache.available_and_evictable_str",
        "mem_cache.mamba_radix_cache:MambaRadixCache.available_and_evictable_str",
        "mem_cache.swa_radix_cache:SWARadixCache.available_and_evictable_str",
    ),
    *_outside(
        "memory pressure: cached prefixes are evicted",
        "called when fewer slots are free than are asked for; the contract's load has memory at hand",
        "mem_cache.radix_cache:RadixCache.evict",
        "mem_cache.radix_cache_cpp:RadixCacheCpp.evict",
        "mem_cache.hiradix_cache:HiRadixCache.evict",
        "mem_cache.hiradix_cache:HiRadixCache.evict_host",
        "mem_cache.swa_radix_cache:SWARadixCache.evict",
        "mem_cache.pure_swa_radix_cache:PureSWARadixCache.evict",
        "mem_cache.mamba_radix_cache:MambaRadixCache.evict",
        "mem_cache.hi_mamba_radix_cache:HiMambaRadixCache.evict",
        "mem_cache.hi_mamba_radix_cache:HiMambaRadixCache.evict_host",
        "mem_cache.unified_radix_cache:UnifiedRadixCache.evict",
        "mem_cache.unified_radix_cache:UnifiedRadixCache.evict_host",
        "mem_cache.unified_radix_cache:UnifiedRadixCache.evict_for_alloc",
        "mem_cache.session_aware_cache:SessionAwareCache.evict",
        "mem_cache.storage.lmcache.lmc_radix_cache:LMCRadixCache.evict",
        "mem_cache.storage.flexkv.flexkv_radix_cache:FlexKVRadixCache.evict",
    ),
    *_outside(
        "a request is aborted",
        "a client gives up, a limit is hit, or the input is refused; ordinary ones finish",
        "managers.scheduler:Scheduler.abort_request",
        "managers.scheduler:Scheduler.send_abort_output",
        "managers.scheduler:_make_abort_req",
        "managers.schedule_batch:Req.set_finish_with_abort",
        "managers.tokenizer_manager:TokenizerManager.abort_request",
        "managers.tokenizer_manager:TokenizerManager._handle_abort_req",
        "managers.tokenizer_manager:TokenizerManager._handle_abort_finish_reason",
        "disaggregation.utils:prepare_abort",
    ),
    *_outside(
        "a request is malformed or fails",
        "answers with an error; ordinary requests are valid",
        "entrypoints.http_server:_create_error_response",
        "entrypoints.http_server:validation_exception_handler",
        "entrypoints.openai.serving_base:OpenAIServingBase.create_error_response",
        "entrypoints.openai.serving_base:OpenAIServingBase.create_streaming_error_response",
    ),
    *_outside(
        "a health check",
        "answers a deferred health check",
        "managers.data_parallel_controller:DataParallelController.dispatch_health_check",
    ),
    *_outside(
        "the server stops or a process dies",
        "signals, crash dumps and shutdown are not service",
        "managers.tokenizer_manager:SignalHandler.sigterm_handler",
        "managers.tokenizer_manager:SignalHandler.running_phase_sigquit_handler",
        "managers.tokenizer_manager:TokenizerManager.dump_requests_before_crash",
        "managers.tokenizer_manager:TokenizerManager.gracefully_exit",
        "utils.common:kill_process_tree",
    ),
)

# ---------------------------------------------------------------------------
# (d) Messages between the processes

#: Roles as the phases use them: main, scheduler, detokenizer, controller.
_MAIN, _SCHED, _DETOK, _CONTROL = "main", "scheduler", "detokenizer", "controller"


def _messages(sender: str, receiver: str, service: Service, reason: str, *names: str) -> tuple[Message, ...]:
    return tuple(Message(_IO + n, sender, receiver, service, reason) for n in names)


MESSAGES: tuple[Message, ...] = (
    *_messages(
        _MAIN,
        _SCHED,
        Service.ORDINARY,
        "a tokenized request, or several at once",
        "TokenizedGenerateReqInput",
        "BatchTokenizedGenerateReqInput",
    ),
    *_messages(
        _MAIN,
        _CONTROL,
        Service.ORDINARY,
        "with a data-parallel controller the requests go through it",
        "TokenizedGenerateReqInput",
        "BatchTokenizedGenerateReqInput",
    ),
    *_messages(
        _CONTROL,
        _SCHED,
        Service.ORDINARY,
        "the controller hands each request to one replica",
        "TokenizedGenerateReqInput",
        "BatchTokenizedGenerateReqInput",
    ),
    *_messages(
        _SCHED,
        _DETOK,
        Service.ORDINARY,
        "the new token ids of a batch",
        "BatchTokenIDOutput",
    ),
    *_messages(
        _SCHED,
        _MAIN,
        Service.ORDINARY,
        "the token ids themselves with --skip-tokenizer-init",
        "BatchTokenIDOutput",
    ),
    *_messages(
        _DETOK,
        _MAIN,
        Service.ORDINARY,
        "the new text of a batch",
        "BatchStrOutput",
    ),
    *_messages(
        _MAIN,
        _CONTROL,
        Service.ORDINARY,
        "the load that came with an output, for balancing; not in 0.5.23",
        "WatchLoadUpdateReq",
    ),
    *_messages(
        _SCHED,
        _MAIN,
        Service.ORDINARY,
        "which ranks are alive, after each batch, with an elastic EP backend",
        "ActiveRanksOutput",
    ),
    *_messages(
        _MAIN,
        _CONTROL,
        Service.ORDINARY,
        "the same, handed on to the controller",
        "ActiveRanksOutput",
    ),
    *_messages(
        _MAIN,
        _SCHED,
        Service.CLIENT,
        "another task than text",
        "TokenizedEmbeddingReqInput",
        "BatchTokenizedEmbeddingReqInput",
    ),
    *_messages(
        _SCHED,
        _DETOK,
        Service.CLIENT,
        "the answer to an embedding request",
        "BatchEmbeddingOutput",
    ),
    *_messages(
        _DETOK,
        _MAIN,
        Service.CLIENT,
        "the answer to an embedding request",
        "BatchEmbeddingOutput",
    ),
    *_messages(_SCHED, _DETOK, Service.CLIENT, "outputs that are not text", "BatchMultimodalDecodeReq"),
    *_messages(_DETOK, _MAIN, Service.CLIENT, "outputs that are not text", "BatchMultimodalOutput"),
    *_messages(_MAIN, _SCHED, Service.CLIENT, "a client gives up a request", "AbortReq"),
    *_messages(
        _SCHED,
        _MAIN,
        Service.CLIENT,
        "a queued request ends without output: refused, timed out, given up",
        "AbortReq",
    ),
    *_messages(
        _MAIN,
        _SCHED,
        Service.CLIENT,
        "sessions are an optional feature of a request",
        "OpenSessionReqInput",
        "CloseSessionReqInput",
    ),
    *_messages(_SCHED, _MAIN, Service.CLIENT, "the answer to OpenSessionReqInput", "OpenSessionReqOutput"),
    *_messages(
        _SCHED,
        _MAIN,
        Service.HEALTH,
        "a busy scheduler answers a health check without a batch of its own",
        "HealthCheckOutput",
    ),
    *_messages(
        _MAIN,
        _SCHED,
        Service.CLIENT,
        "routers ask for the load",
        "GetLoadReqInput",
        "GetLoadsReqInput",
    ),
    *_messages(
        _MAIN,
        _SCHED,
        Service.ADMINISTRATION,
        "control requests, sent by the administration's entries",
        "FlushCacheReqInput",
        "ClearHiCacheReqInput",
        "AttachHiCacheStorageReqInput",
        "DetachHiCacheStorageReqInput",
        "GetHiCacheL3LayoutReq",
        "PinPrefixReqInput",
        "AddExternalCorpusReqInput",
        "RemoveExternalCorpusReqInput",
        "ListExternalCorporaReqInput",
        "UpdateWeightFromDiskReqInput",
        "InitWeightsUpdateGroupReqInput",
        "DestroyWeightsUpdateGroupReqInput",
        "InitWeightsSendGroupForRemoteInstanceReqInput",
        "SendWeightsToRemoteInstanceReqInput",
        "BeginWeightUpdateReqInput",
        "EndWeightUpdateReqInput",
        "UpdateWeightsFromDistributedReqInput",
        "UpdateWeightsFromTensorReqInput",
        "UpdateWeightsFromIPCReqInput",
        "UpdateWeightVersionReqInput",
        "GetWeightsByNameReqInput",
        "ReleaseMemoryOccupationReqInput",
        "ResumeMemoryOccupationReqInput",
        "CheckWeightsReqInput",
        "SlowDownReqInput",
        "PdRoleSwitchReqInput",
        "ProfileReq",
        "ShutdownReq",
        "GetInternalStateReq",
        "SetInternalStateReq",
        "RpcReqInput",
        "ExpertDistributionReq",
        "LoadLoRAAdapterReqInput",
        "LoadLoRAAdapterFromTensorsReqInput",
        "UnloadLoRAAdapterReqInput",
        "PauseGenerationReqInput",
        "ContinueGenerationReqInput",
        "ConfigureLoggingReq",
        "DumperControlReqInput",
        "ScaleElasticEPReqInput",
        "BlockReqInput",
    ),
    *_messages(
        _MAIN,
        _SCHED,
        Service.CLIENT,
        "0.5.23 freezes the garbage collector once after its warm-up; before, only /freeze_gc asks for it",
        "FreezeGCReq",
    ),
    *_messages(_SCHED, _DETOK, Service.CLIENT, "the same, handed on", "FreezeGCReq"),
    *_messages(
        _SCHED,
        _DETOK,
        Service.ADMINISTRATION,
        "a control request that goes on to the detokenizer",
        "ConfigureLoggingReq",
    ),
)

#: Handlers in the scheduler of the control requests above, for the phase ``maintenance``.
CONTROL_HANDLERS: tuple[str, ...] = (
    *(
        _SCHEDULER + name
        for name in (
            "flush_cache_wrapped",
            "flush_cache",
            "clear_hicache_storage_wrapped",
            "attach_hicache_storage_wrapped",
            "detach_hicache_storage_wrapped",
            "get_hicache_l3_cache_layout",
            "pin_prefix_wrapped",
            "add_external_corpus",
            "remove_external_corpus",
            "list_external_corpora",
            "init_weights_send_group_for_remote_instance",
            "send_weights_to_remote_instance",
            "handle_update_weight_version",
            "slow_down",
            "handle_pd_role_switch",
            "handle_freeze_gc",
            "handle_shutdown",
            "get_internal_state",
            "set_internal_state",
            "handle_rpc_request",
            "expert_distribution_handle",
            "load_lora_adapter",
            "load_lora_adapter_from_tensors",
            "unload_lora_adapter",
            "pause_generation",
            "continue_generation",
            "configure_logging",
            "handle_dumper_control",
            "handle_scale_elastic_ep",
            "save_remote_model",
            "save_sharded_model",
        )
    ),
    *(
        _SRT + owner + name
        for owner in (
            "managers.scheduler_update_weights_mixin:SchedulerUpdateWeightsMixin.",
            "managers.scheduler_components.weight_updater:SchedulerWeightUpdaterManager.",
        )
        for name in (
            "update_weights_from_disk",
            "init_weights_update_group",
            "destroy_weights_update_group",
            "update_weights_from_distributed",
            "update_weights_from_tensor",
            "update_weights_from_ipc",
            "get_weights_by_name",
            "release_memory_occupation",
            "resume_memory_occupation",
            "check_weights",
        )
    ),
    _SRT + "managers.scheduler_components.weight_updater:SchedulerWeightUpdaterManager.begin_weight_update",
    _SRT + "managers.scheduler_components.weight_updater:SchedulerWeightUpdaterManager.end_weight_update",
    _SRT + "managers.scheduler_components.flush_wrapper:SchedulerFlushWrapper.handle",
    _SRT + "managers.scheduler_profiler_mixin:SchedulerProfilerMixin.profile",
    _SRT + "managers.detokenizer_manager:DetokenizerManager.handle_freeze_gc_req",
    _SRT + "managers.detokenizer_manager:DetokenizerManager.handle_configure_logging_req",
)
