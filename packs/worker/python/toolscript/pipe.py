"""JSON-RPC 2.0 over this process's stdin and stdout, one value a line, kept from the pack's code."""

from __future__ import annotations

import json
import os
import threading
import uuid
from concurrent.futures import Future
from typing import Any, Iterator

from toolscript import ToolError


class Pipe:
    """Takes stdin and stdout for the protocol; from then on whatever is printed, also by programs
    that the code starts, goes to stderr, and whoever reads stdin finds it empty."""

    def __init__(self) -> None:
        self._input = os.fdopen(os.dup(0), "rb")
        self._output = os.fdopen(os.dup(1), "wb", buffering=0)
        with open(os.devnull, "rb") as empty:
            os.dup2(empty.fileno(), 0)
        os.dup2(2, 1)
        self._writing = threading.Lock()
        self._asked: dict[str, tuple[Future, str]] = {}

    def lines(self) -> Iterator[dict]:
        for line in self._input:
            if line.strip():
                yield json.loads(line)

    def send(self, message: dict) -> None:
        data = memoryview(b"\n" + encode({"jsonrpc": "2.0", **message}) + b"\n")
        with self._writing:
            while data:
                data = data[self._output.write(data) :]

    def notify(self, method: str, params: dict) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: dict, name: str) -> Future:
        id = str(uuid.uuid4())
        future: Future = Future()
        self._asked[id] = (future, name)
        self.send({"id": id, "method": method, "params": params})
        return future

    def settle(self, message: dict) -> None:
        future, name = self._asked.pop(message.get("id"), (None, ""))
        # A call that has ended has cancelled what it waited for.
        if future is None or not future.set_running_or_notify_cancel():
            return
        error = message.get("error")
        if error is None:
            future.set_result(message.get("result"))
        else:
            code = (error.get("data") or {}).get("code", "tool_error")
            future.set_exception(ToolError(error.get("message", ""), code, name))


def encode(value: Any) -> bytes:
    """As JSON has it; what JSON has no form for is written as text."""
    return json.dumps(_plain(value), ensure_ascii=False, default=_fallback).encode(
        "utf-8", "replace"
    )


def _plain(value: Any) -> Any:
    """Keys become text, NaN and infinities null; the rest stays."""
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return None
    if isinstance(value, dict):
        return {key if isinstance(key, str) else str(key): _plain(v) for key, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return value


def _fallback(value: Any) -> Any:
    if hasattr(value, "model_dump"):
        return _plain(value.model_dump(mode="json"))
    if hasattr(value, "__dataclass_fields__"):
        return _plain({name: getattr(value, name) for name in value.__dataclass_fields__})
    if isinstance(value, (set, frozenset)):
        return _plain(list(value))
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "replace")
    if hasattr(value, "isoformat"):
        return value.isoformat()
    if hasattr(value, "value") and type(value).__mro__[-2].__name__ == "Enum":
        return value.value
    return str(value)
