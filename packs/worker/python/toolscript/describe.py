"""From Python functions to tools: names, type hints and docstrings become schemas."""

from __future__ import annotations

import enum
import inspect
import re
import types
import typing
from typing import Any, Callable, Optional

try:
    import tomllib
except ImportError:  # before Python 3.11
    tomllib = None

# The reference pattern of PEP 723.
HEADER = re.compile(r"(?m)^# /// script$\s(?P<content>(^#(| .*)$\s)+)^# ///$")
# A line of a docstring that says what a tool does to the world.
EFFECT = re.compile(r"(?m)^[ \t]*@effect[ \t]+(read|write|destroy)[ \t]*\n?$")
PLAIN = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
LISTS = {"list", "set", "frozenset", "Sequence", "Iterable", "Collection", "MutableSequence"}
MAPS = {"dict", "Mapping", "MutableMapping", "OrderedDict", "defaultdict"}
MAX_DEPTH = 12


def read_header(text: str) -> Optional[dict]:
    """The `script` block as TOML (WRK-06): None where there is none, or none that can be read."""
    match = HEADER.search(text.replace("\r\n", "\n"))
    if match is None:
        return None
    lines = match.group("content").splitlines(keepends=True)
    content = "".join(line[2:] if line.startswith("# ") else line[1:] for line in lines)
    if tomllib is None:
        return {}
    try:
        return tomllib.loads(content)
    except tomllib.TOMLDecodeError:
        return None


def public_functions(module: Any) -> dict[str, Callable]:
    """Those that `__all__` names, else those defined in the file whose names have no `_` before."""
    chosen = getattr(module, "__all__", None)
    if chosen is not None:
        found = {name: getattr(module, name, None) for name in chosen}
        return {name: value for name, value in found.items() if inspect.isroutine(value)}
    return {
        name: value
        for name, value in vars(module).items()
        if inspect.isfunction(value) and not name.startswith("_")
        and value.__module__ == module.__name__
    }


def describe_tools(functions: dict[str, Callable]) -> list[dict]:
    return [describe(name, function) for name, function in functions.items()]


def describe(name: str, function: Callable) -> dict:
    hints = _hints(function)
    text = inspect.getdoc(function) or ""
    effect = EFFECT.search(text)
    summary, about = read_docstring(EFFECT.sub("", text))
    properties: dict[str, Any] = {}
    required = []
    more: Any = False
    for parameter in inspect.signature(function).parameters.values():
        hint = hints.get(parameter.name, parameter.annotation)
        if parameter.kind is parameter.VAR_KEYWORD:
            more = True
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.POSITIONAL_ONLY):
            continue
        schema = to_schema(hint)
        if parameter.name in about:
            schema = {**schema, "description": about[parameter.name]}
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        else:
            default = _default(parameter.default)
            if default is not None:
                schema = {**schema, "default": default[0]}
        properties[parameter.name] = schema
    input_schema = {"type": "object", "properties": properties, "additionalProperties": more}
    if required:
        input_schema["required"] = required
    tool = {"name": name, "description": summary, "inputSchema": input_schema}
    if effect is not None:
        tool["effect"] = effect.group(1)
    output = to_schema(hints.get("return", Any))
    if output and output != {"type": "null"}:
        tool["outputSchema"] = output
    return tool


def _hints(function: Callable) -> dict[str, Any]:
    try:
        return typing.get_type_hints(function, include_extras=True)
    except Exception:  # a hint that names what is not there: the rest of the tool still works
        return {}


def _default(value: Any) -> Optional[tuple]:
    """The value, where JSON has a form for it; None for what has none."""
    if isinstance(value, enum.Enum):
        value = value.value
    if value is None or isinstance(value, (str, int, float, bool)):
        return (value,)
    if isinstance(value, (list, tuple)) and all(_default(item) for item in value):
        return (list(value),)
    if isinstance(value, dict) and all(isinstance(k, str) and _default(v) for k, v in value.items()):
        return (value,)
    return None


def to_schema(hint: Any, depth: int = 0) -> dict:
    """JSON Schema of a type hint; {} for what it cannot say."""
    if depth > MAX_DEPTH or hint in (Any, inspect.Parameter.empty) or isinstance(hint, str):
        return {}
    if hint is None:
        return {"type": "null"}
    if isinstance(hint, type) and hint in PLAIN:
        return {"type": PLAIN[hint]}
    origin, args = typing.get_origin(hint), typing.get_args(hint)
    if origin is typing.Annotated:
        return _annotated(to_schema(args[0], depth), args[1:])
    if origin is typing.Literal:
        return {"enum": list(args)}
    if origin is typing.Union or origin is getattr(types, "UnionType", typing.Union):
        return _union([to_schema(arg, depth + 1) for arg in args])
    if origin in (typing.Required, typing.NotRequired) if hasattr(typing, "Required") else False:
        return to_schema(args[0], depth)
    return _named(hint, origin, args, depth)


def _named(hint: Any, origin: Any, args: tuple, depth: int) -> dict:
    base = origin or hint
    name = getattr(base, "__name__", "")
    if base is tuple:
        return _tuple(args, depth)
    if name in LISTS:
        items = to_schema(args[0], depth + 1) if args else {}
        return {"type": "array", **({"items": items} if items else {})}
    if name in MAPS:
        values = to_schema(args[1], depth + 1) if len(args) == 2 else {}
        return {"type": "object", **({"additionalProperties": values} if values else {})}
    if not isinstance(base, type):
        return {}
    if issubclass(base, enum.Enum):
        return {"enum": [member.value for member in base]}
    if typing.is_typeddict(base):
        return _record(_hints(base), base.__required_keys__, depth)
    if hasattr(base, "model_json_schema"):
        return base.model_json_schema()
    if hasattr(base, "__dataclass_fields__"):
        return _record(_hints(base), frozenset(), depth)
    if name in ("date", "datetime", "time"):
        return {"type": "string", "format": "date-time" if name == "datetime" else name}
    if name in ("Path", "PurePath", "Decimal", "UUID"):
        return {"type": "string"}
    return {}


def _record(hints: dict, required: Any, depth: int) -> dict:
    properties = {name: to_schema(hint, depth + 1) for name, hint in hints.items()}
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        schema["required"] = [name for name in properties if name in required]
    return schema


def _tuple(args: tuple, depth: int) -> dict:
    if not args:
        return {"type": "array"}
    if len(args) == 2 and args[1] is Ellipsis:
        return {"type": "array", "items": to_schema(args[0], depth + 1)}
    items = [to_schema(arg, depth + 1) for arg in args]
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _union(schemas: list[dict]) -> dict:
    if any(not schema for schema in schemas):
        return {}
    types = [schema.get("type") for schema in schemas]
    if all(isinstance(t, str) and len(s) == 1 for t, s in zip(types, schemas)):
        return {"type": types} if len(types) > 1 else schemas[0]
    return {"anyOf": schemas}


def _annotated(schema: dict, extras: tuple) -> dict:
    """A text beside a hint, or an object with a `description`, is the parameter's description."""
    for extra in extras:
        text = extra if isinstance(extra, str) else getattr(extra, "description", None)
        if isinstance(text, str):
            return {**schema, "description": text}
    return schema


GOOGLE = re.compile(r"^(?:Args|Arguments|Parameters|Params):\s*$")
NUMPY = re.compile(r"^(?:Parameters|Other Parameters)\s*$")
SECTION = re.compile(
    r"^(?:Returns?|Yields?|Raises|Examples?|Notes?|See Also|Attributes|Warns|References):?\s*$"
)
SPHINX = re.compile(r"^:param (?:[\w\[\], .|]+ )?\*{0,2}(\w+):\s*(.*)$")
SPHINX_OTHER = re.compile(r"^:(?:returns?|rtype|raises?|type|yields?)\b.*$")
GOOGLE_ENTRY = re.compile(r"^(\s+)\*{0,2}(\w+)(?:\s*\([^)]*\))?:\s*(.*)$")
NUMPY_ENTRY = re.compile(r"^\*{0,2}(\w+)(?:\s*:.*)?$")


def read_docstring(text: str) -> tuple[str, dict[str, str]]:
    """What it says of the function, and of each parameter: Google, NumPy and Sphinx style."""
    summary: list[str] = []
    about: dict[str, list[str]] = {}
    mode, name, indent = "summary", "", 0
    lines = text.splitlines()
    for at, line in enumerate(lines):
        below = lines[at + 1] if at + 1 < len(lines) else ""
        ruled = bool(re.match(r"^-{3,}\s*$", below))
        if mode == "numpy" and re.match(r"^-{3,}\s*$", line):
            continue
        if NUMPY.match(line) and ruled:
            mode, name = "numpy", ""
        elif GOOGLE.match(line):
            mode, name, indent = "google", "", 0
        elif SECTION.match(line) and (ruled or line.rstrip().endswith(":")):
            mode = "other"
        elif match := SPHINX.match(line):
            mode, name = "sphinx", match.group(1)
            about[name] = [match.group(2)]
        elif SPHINX_OTHER.match(line):
            mode = "other"
        elif mode == "google":
            entry = GOOGLE_ENTRY.match(line)
            if entry and (not indent or len(entry.group(1)) <= indent):
                indent, name = len(entry.group(1)), entry.group(2)
                about[name] = [entry.group(3)]
            elif name and line.strip():
                about[name].append(line.strip())
            elif line and not line[0].isspace():
                mode = "summary"
                summary.append(line)
        elif mode == "numpy":
            entry = NUMPY_ENTRY.match(line)
            if entry:
                name = entry.group(1)
                about[name] = []
            elif name and line.strip():
                about[name].append(line.strip())
        elif mode == "sphinx" and line.strip():
            about[name].append(line.strip())
        elif mode in ("summary", "sphinx"):
            mode = "summary"
            summary.append(line)
    described = {key: " ".join(part for part in parts if part) for key, parts in about.items()}
    return "\n".join(summary).strip(), {key: value for key, value in described.items() if value}
