"""Loads the pack's file, answers `describe`, `call`, `ping` and `shutdown`."""

from __future__ import annotations

import asyncio
import importlib.util
import inspect
import os
import re
import sys
import threading
import traceback
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import Any
from weakref import WeakValueDictionary

import toolscript
from toolscript import Call, Context
from toolscript.describe import describe_tools, public_functions, read_header
from toolscript.pipe import Pipe, encode

# Of the environment, what the pack's own code is to see: the rest was for uv.
KEPT = re.compile(
    r"^(PATH|HOME|TMPDIR|TMP|TEMP|LANG|LC_\w+|SYSTEMROOT|(HTTPS?|NO|ALL)_PROXY|SSL_CERT_(FILE|DIR)"
    r"|NIX_SSL_CERT_FILE|REQUESTS_CA_BUNDLE|CURL_CA_BUNDLE)$",
    re.IGNORECASE,
)
# Threads of a lane, the calls of one run at one depth: no run waits for another one, and no call for
# those around it.
MOST_THREADS = 32
# Messages are nested 1,000 levels deep at most, and writing a value takes two frames a level.
MOST_FRAMES = 5_000


class LoadError(Exception):
    """The pack's file cannot be loaded."""

    def __init__(self, message: str, line: int | None, name: str) -> None:
        super().__init__(message)
        self.line = line
        self.name = name


class Worker:
    def __init__(self, pipe: Pipe) -> None:
        self.pipe = pipe
        self.calls: dict[str, Call] = {}
        self.tasks: dict[str, asyncio.Task] = {}
        self.functions: dict[str, Any] = {}
        self.max_bytes = 0
        self.lanes: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self.threads = ThreadPoolExecutor(sys.maxsize)  # the lanes are their bound

    async def run(self) -> None:
        loop = asyncio.get_running_loop()
        ended = loop.create_future()

        def read() -> None:
            try:
                for message in self.pipe.lines():
                    if "method" in message:
                        loop.call_soon_threadsafe(self.take, message)
                    else:
                        self.pipe.settle(message)
            except BaseException:  # a process that reads nothing more is of no use: another starts
                traceback.print_exc()
                sys.stderr.flush()
                os._exit(1)
            loop.call_soon_threadsafe(ended.set_result, None)

        threading.Thread(target=read, daemon=True).start()
        await ended

    def take(self, message: dict) -> None:
        method, id, params = message["method"], message.get("id"), message.get("params") or {}
        if method == "cancel":
            self.cancel(params.get("id"))
        elif id is not None:
            self.tasks[id] = asyncio.ensure_future(self.answer(id, method, params))

    def cancel(self, id: Any) -> None:
        call, task = self.calls.get(id), self.tasks.get(id)
        if task is None:
            return
        if call is None:  # the task has not begun, and will not
            task.cancel()
            del self.tasks[id]
            self.pipe.send({"id": id, "error": describe_error(asyncio.CancelledError())})
            return
        call.cancelled.set()
        # A thread cannot be ended: its call is answered when it ends, and until then it counts.
        if not call.in_thread:
            task.cancel()

    async def answer(self, id: str, method: str, params: dict) -> None:
        try:
            result = await self.perform(id, method, params)
            if self.max_bytes and len(encode(result)) > self.max_bytes:
                raise TooLarge(len(encode(result)), self.max_bytes)
            self.pipe.send({"id": id, "result": result})
        except BaseException as error:  # whatever the code threw, who called is answered
            self.pipe.send({"id": id, "error": describe_error(error)})
        finally:
            self.tasks.pop(id, None)
            self.calls.pop(id, None)
        if method == "shutdown":
            end(0)

    async def perform(self, id: str, method: str, params: dict) -> Any:
        if method == "ping":
            return "pong"
        if method == "shutdown":
            return None
        if method == "describe":
            return self.describe(params)
        if method == "call":
            return await self.call(id, params)
        raise ValueError(f'No such method "{method}"')

    def describe(self, params: dict) -> dict:
        self.max_bytes = params["maxBytes"]
        file = params["file"]
        context = Context(params["pack"], params["config"], params["secrets"], self.pipe)
        toolscript._loaded[:] = [context]
        with open(file, encoding="utf-8") as source:
            header = read_header(source.read())
        module = load(file, header)
        self.functions = public_functions(module)
        return {
            "pack": getattr(module, "pack", None),
            "header": header is not None,
            "tools": describe_tools(self.functions),
        }

    async def call(self, id: str, params: dict) -> Any:
        function = self.functions.get(params["tool"])
        if function is None:
            raise ValueError(f'The module has no function "{params["tool"]}"')
        call = self.calls[id] = Call(id)
        toolscript._call.set(call)  # this task's own
        work = partial(function, **params["arguments"])
        if inspect.iscoroutinefunction(function):
            return await work()
        async with self.lanes.setdefault(params["lane"], asyncio.Semaphore(MOST_THREADS)):
            result = await self.in_thread(call, work)
        return await result if inspect.isawaitable(result) else result

    async def in_thread(self, call: Call, work: Any) -> Any:
        loop = asyncio.get_running_loop()
        call.in_thread = True
        try:
            return await loop.run_in_executor(self.threads, copy_context().run, work)
        finally:
            call.in_thread = False


class TooLarge(Exception):
    code = "too_large"

    def __init__(self, size: int, most: int) -> None:
        super().__init__(f"The answer has {size // 2**20} MB, more than {most // 2**20} MB")


def load(file: str, header: dict | None) -> Any:
    """The module; raises LoadError with the line that is to blame."""
    sys.path.insert(0, os.path.dirname(file))
    name = os.path.splitext(os.path.basename(file))[0]
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.dont_write_bytecode = True
    try:
        spec.loader.exec_module(module)
    except SyntaxError as error:
        raise LoadError(f"{error.msg}", error.lineno, "SyntaxError") from error
    except BaseException as error:  # also SystemExit: a pack does not end its process by loading
        message = str(error)
        if isinstance(error, ModuleNotFoundError) and header is None:
            message += ": the file has no `# /// script` header that names its dependencies"
        raise LoadError(message, line_in(file, error), type(error).__name__) from error
    return module


def line_in(file: str, error: BaseException) -> int | None:
    frames = traceback.extract_tb(error.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == file]
    return lines[-1] if lines else None


def describe_error(error: BaseException) -> dict:
    name = getattr(error, "name", None) if isinstance(error, LoadError) else None
    data: dict[str, Any] = {"name": name or type(error).__name__}
    if isinstance(error, LoadError):
        data["line"] = error.line
    code = getattr(error, "code", None)
    if isinstance(code, str):
        data["code"] = code
    data["stack"] = "".join(traceback.format_exception(type(error), error, error.__traceback__))
    message = error.args[0] if isinstance(error, KeyError) and error.args else error
    return {"code": -32000, "message": str(message) or type(error).__name__, "data": data}


def clean_environment() -> None:
    for name in list(os.environ):
        if not KEPT.match(name):
            del os.environ[name]
    # Programs that the pack starts compile there too: a new file beside its modules ends its trust.
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix or ""


def end(code: int) -> None:
    """Also under threads that never end."""
    sys.stderr.flush()
    os._exit(code)


def main() -> None:
    clean_environment()
    sys.setrecursionlimit(MOST_FRAMES)
    asyncio.run(Worker(Pipe()).run())
    end(0)
