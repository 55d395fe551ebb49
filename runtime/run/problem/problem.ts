/** From how a run ended to the error that its author reads. */

import type { JsonObject } from "#base";
import type { Frame, Outcome } from "#sandbox";
import type { Diagnostic } from "../../check/types.ts";
import { excerpt } from "./excerpt.ts";
import type { RunErrorCode, RunProblem } from "../types.ts";

/** The author's texts, and the way from a served position back to them. */
export interface Source {
  text(file: string): string | undefined;
  locate(frame: Frame): Frame;
  /** From a position in the checked text of a module to the author's. */
  place(file: string, place: { line: number; column: number }): { line: number; column: number };
}

export interface Explained {
  readonly text: string;
  readonly error: RunProblem;
}

/** Error that is explained: fields beside these have their defaults. */
type ProblemFields =
  & Pick<RunProblem, "code" | "name" | "message">
  & Partial<RunProblem>
  & { readonly text?: string };

/** Builds an explanation; its text is the message by default. */
export function explained({ text, ...fields }: ProblemFields): Explained {
  const { retryable = false, tool, details = {}, ...rest } = fields;
  const error = { ...rest, retryable, ...(tool === undefined ? {} : { tool }), details };
  return { text: text ?? fields.message, error };
}

type Failure = Exclude<Outcome, { kind: "value" | "nothing" }>;

/** Explains the error of a program that ran. */
export function explainOutcome(outcome: Failure, source: Source): Explained {
  if (outcome.kind === "thrown") return explainThrown(outcome, source);
  const { kind } = outcome;
  return explained({
    code: kind,
    name: LIMIT_NAMES[kind],
    message: limitMessage(outcome),
    retryable: kind === "crashed",
    details: limitDetails(outcome),
  });
}

/** Explains the findings of the type checker; nothing was executed. */
export function explainDiagnostics(
  problems: readonly Diagnostic[],
  { text, place, signatureAt }: Pick<Source, "text" | "place"> & SignatureSource,
): Explained {
  const signatures = problems.map((item) => signatureAt(item.file, item));
  const diagnostics = problems.map((item) => {
    const end = place(item.file, { line: item.end_line, column: item.end_column });
    return {
      ...item,
      ...place(item.file, item),
      end_line: end.line,
      end_column: end.column,
    };
  });
  const [first] = diagnostics;
  const parts = diagnostics.map((item, index) =>
    [
      `Type error at line ${item.line}: ${item.message}`,
      `  at ${item.file}:${item.line}:${item.column} (TS${item.code})`,
      excerpt(text(item.file) ?? "", item.line, item.column),
      signatures[index] === undefined ? "" : `  expected: ${signatures[index]}`,
    ].filter((line) => line !== "").join("\n")
  );
  return explained({
    text: parts.join("\n\n"),
    code: "type_error",
    name: "TypeError",
    message: first?.message ?? "The program does not type-check",
    ...(first ? { file: first.file, line: first.line, column: first.column } : {}),
    diagnostics,
    details: signatures[0] === undefined ? {} : { signature: signatures[0] },
  });
}

/** Source of a tool's signature, by a position within its call in the checked text (RUN-24). */
export interface SignatureSource {
  signatureAt(file: string, place: { line: number; column: number }): string | undefined;
}

function explainThrown(outcome: Extract<Outcome, { kind: "thrown" }>, source: Source): Explained {
  const frames = outcome.frames.map((frame) => source.locate(frame));
  const [top] = frames;
  const stack = frames.map((frame) =>
    `  at ${frame.name ? `${frame.name} ` : ""}(${frame.file}:${frame.line}:${frame.column})`
  ).join("\n");
  const title = `${outcome.name}: ${outcome.message}`;
  const extract = top ? excerpt(source.text(top.file) ?? "", top.line, top.column) : "";
  const { tool } = outcome;
  const code: JsonObject = tool && tool.code !== "tool_error" ? { code: tool.code } : {};
  return explained({
    text: [title, stack, extract].filter((part) => part !== "").join("\n"),
    code: thrownCode(tool),
    name: outcome.name,
    message: outcome.message,
    ...(top ? { file: top.file, line: top.line, column: top.column } : {}),
    ...(stack === "" ? {} : { stack: `${title}\n${stack}` }),
    retryable: tool?.retryable,
    tool: tool?.tool,
    details: { ...tool?.details, ...code },
  });
}

function thrownCode(tool: Extract<Outcome, { kind: "thrown" }>["tool"]): RunErrorCode {
  if (!tool) return "thrown";
  const { code, details } = tool;
  // One that a person can make available.
  if (code === "unavailable" && "command" in details) return code;
  const isRefusal = code === "blocked" || code === "read_only" || code === "needs_confirmation";
  return isRefusal ? code : "tool_error";
}

type Limit = Exclude<Failure, { kind: "thrown" }>;

const LIMIT_NAMES = {
  exited: "Exited",
  timeout: "TimeoutError",
  cpu_limit: "CpuLimit",
  memory_limit: "MemoryLimit",
  output_limit: "OutputLimit",
  call_limit: "CallLimit",
  too_large: "TooLarge",
  blocked: "BlockedError",
  crashed: "Crashed",
  cancelled: "Cancelled",
} satisfies Record<Limit["kind"], string>;

function limitMessage(outcome: Limit): string {
  switch (outcome.kind) {
    case "exited":
      return `The program ended itself with exit code ${outcome.code}`;
    case "timeout":
      return `The run took longer than ${outcome.afterMs / 1000} s and was ended: do less in one ` +
        "run, or raise the timeout (sandbox.timeout)";
    case "cpu_limit":
      return `The run used more than ${outcome.seconds} s of CPU time and was ended: look for an ` +
        "endless loop, or raise sandbox.cpu";
    case "memory_limit":
      return `The run used more than ${outcome.megabytes} MB of memory and was ended: keep less ` +
        "at once, or raise sandbox.memory_mb";
    case "output_limit":
      return `The run gave more than ${outcome.bytes} bytes of output and was ended: print or ` +
        "return less, or raise sandbox.output_mb";
    case "call_limit":
      return `The run made more than ${outcome.calls} calls and was ended: call less in one run, ` +
        "or raise sandbox.calls";
    case "too_large":
      return `The input is larger than ${outcome.bytes} bytes: send less, or raise ` +
        "gateway.max_body_mb";
    case "blocked":
      return `Cannot import "${outcome.specifier}": a program may import "toolscript" and .ts ` +
        "files beside it: use a tool instead";
    case "crashed":
      return `The run's process died (${outcome.reason}): try again, and report it if it stays`;
    case "cancelled":
      return "The run was cancelled";
    default:
      return outcome satisfies never;
  }
}

function limitDetails(outcome: Limit): RunProblem["details"] {
  switch (outcome.kind) {
    case "exited":
      return { exit_code: outcome.code };
    case "timeout":
      return { after_ms: outcome.afterMs };
    case "cpu_limit":
      return { seconds: outcome.seconds };
    case "memory_limit":
      return { megabytes: outcome.megabytes };
    case "output_limit":
    case "too_large":
      return { bytes: outcome.bytes };
    case "call_limit":
      return { calls: outcome.calls };
    case "blocked":
      return { specifier: outcome.specifier };
    case "crashed":
      return { reason: outcome.reason };
    case "cancelled":
      return {};
    default:
      return outcome satisfies never;
  }
}

/** A pack that a program names and that cannot be used. */
export interface Unusable {
  readonly message: string;
  /** Reason and command, where a person has to do something first. */
  readonly details?: JsonObject;
  /** `unavailable` with details by default. */
  readonly code?: "blocked";
}

/** Explains which pack in the program cannot be used. */
export function explainUnusable({ message, details, ...unusable }: Unusable): Explained {
  const code = unusable.code ?? (details ? "unavailable" : "tool_error");
  return explained({ code, name: "ToolError", message, details });
}
