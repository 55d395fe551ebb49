"""What a Python pack imports as "toolscript": its settings, its log, other tools."""

from __future__ import annotations

import asyncio
import threading
from contextvars import ContextVar
from typing import Any, Optional

__all__ = ["ToolError", "cancelled", "config", "log", "progress", "secret", "tools"]


class ToolError(Exception):
    """A tool call that failed, as in a toolscript."""

    def __init__(self, message: str, code: str, tool: str) -> None:
        super().__init__(message)
        self.code = code
        self.tool = tool


class Call:
    """One call under way."""

    def __init__(self, id: str) -> None:
        self.id = id
        self.in_thread = False
        self.cancelled = threading.Event()


class Context:
    """What belongs to one pack: filled by the worker before the pack's file is loaded."""

    def __init__(self, pack: str, config: dict, secrets: dict, pipe: Any) -> None:
        self.pack = pack
        self.config = config
        self.secrets = secrets
        self.pipe = pipe


_context: ContextVar[Optional[Context]] = ContextVar("toolscript_pack", default=None)
_call: ContextVar[Optional[Call]] = ContextVar("toolscript_call", default=None)
_loaded: list[Context] = []


def _current() -> Context:
    context = _context.get() or (_loaded[0] if _loaded else None)
    if context is None:
        raise RuntimeError('"toolscript" answers only inside a pack that Toolscript runs')
    return context


def config() -> dict:
    """The settings below `packs.<name>` in the configuration."""
    return _current().config


def secret(name: str) -> str:
    """One of `packs.<name>.secrets`. Raises KeyError where it is not there."""
    context = _current()
    if name in context.secrets:
        return context.secrets[name]
    raise KeyError(
        f'No secret "{name}": add it to packs.{context.pack}.secrets in onetool.yaml, '
        f'as "${{secret:{name}}}"'
    )


def cancelled() -> bool:
    """Whether the call under way was cancelled, or took too long."""
    call = _call.get()
    return call is not None and call.cancelled.is_set()


def progress(done: float, total: Optional[float] = None, message: Optional[str] = None) -> None:
    """Tells who waits how far the call is."""
    call = _call.get()
    if call is not None:
        params = {"call": call.id, "progress": done, "total": total, "message": message}
        _current().pipe.notify("progress", {k: v for k, v in params.items() if v is not None})


class _Log:
    def _write(self, level: str, message: str, facts: dict) -> None:
        call = _call.get()
        params = {"level": level, "message": str(message), "facts": facts}
        if call is not None:
            params["call"] = call.id
        _current().pipe.notify("log", params)

    def debug(self, message: str, **facts: Any) -> None:
        self._write("debug", message, facts)

    def info(self, message: str, **facts: Any) -> None:
        self._write("info", message, facts)

    def warning(self, message: str, **facts: Any) -> None:
        self._write("warning", message, facts)

    def error(self, message: str, **facts: Any) -> None:
        self._write("error", message, facts)


log = _Log()


class _Tool:
    def __init__(self, pack: str, tool: str) -> None:
        self._pack = pack
        self._tool = tool

    def __call__(self, **arguments: Any) -> Any:
        """The tool's answer; in an async function, await it."""
        name = f"{self._pack}.{self._tool}"
        call = _call.get()
        if call is None:
            message = f'Cannot call "{name}": tools can be called only during a call of this pack'
            raise ToolError(message, "bad_request", name)
        params = {"call": call.id, "pack": self._pack, "tool": self._tool, "arguments": arguments}
        future = _current().pipe.request("call", params, name)
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            return future.result()
        return asyncio.wrap_future(future)


class _Pack:
    def __init__(self, pack: str) -> None:
        self._pack = pack

    def __getattr__(self, tool: str) -> _Tool:
        if tool.startswith("__"):
            raise AttributeError(tool)
        return _Tool(self._pack, tool)


class _Tools:
    """Every tool that the gateway has, `tools.github.create_issue(title="…")`: called as the caller
    of this tool might, with the same lists, questions and limits. Raises ToolError."""

    def __getattr__(self, pack: str) -> _Pack:
        if pack.startswith("__"):
            raise AttributeError(pack)
        return _Pack(pack)


tools = _Tools()
