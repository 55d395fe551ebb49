/** Requests and replies of a run (docs/reference/http.md); keys as on the wire. */

import type { JsonObject, JsonValue } from "#base";
import type { Args, Content, McpLogLevel, RefusedCall } from "#packs";
import type { Diagnostic } from "../check/types.ts";
import type { LiteralCall } from "../program/types.ts";

interface AnyRequest {
  readonly cwd: string;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  readonly stdin?: () => Promise<Uint8Array>;
  /** The input, where it came with the request: a confirmation is valid for the same input only. */
  readonly stdinText?: string;
  /** The id of a confirmation that was asked for before. */
  readonly confirm?: string;
  /** True: the reply is the plan, and nothing but what reads is called. Else the id of a plan, whose
   * calls are approved. */
  readonly plan?: true | string;
  /** True for a look: calls that do not only read are refused, and no person is asked. */
  readonly look?: boolean;
}

/** A `.ts` toolscript, plain TypeScript. */
export interface ScriptRequest extends AnyRequest {
  readonly kind: "script";
  readonly script: string;
  /** The script's name, shown in errors; relative. */
  readonly file: string;
  /** Modules beside the script, by relative path. */
  readonly files: Readonly<Record<string, string>>;
  /** Paths beside the script that lead out of its folder. */
  readonly outside?: readonly string[];
  readonly args: readonly string[];
}

/** A command as an agent sends it, in the command language. */
export interface CommandRequest extends AnyRequest {
  readonly kind: "command";
  readonly command: string;
  /** For this run; a `__format__` that the command sets wins, an unknown one is `json`. */
  readonly format?: string;
  readonly sanitize?: boolean;
  /** The reply is the rewritten code; nothing is run. */
  readonly explain?: boolean;
}

export type RunRequest = ScriptRequest | CommandRequest;

/** A call that a person is asked about, or the use of a builtin or a module. */
export interface Question {
  /** Set for a builtin or a module: the program may use it, which is no call of a tool. */
  readonly kind?: "code";
  /** `github.delete_repo`. */
  readonly tool: string;
  /** Those that the tool would get. */
  readonly arguments: Args;
  /** Where the code calls it, if that is known. */
  readonly line?: number;
  /** Reason for the question, as the configuration gives it. */
  readonly because?: string;
}

/** This call, this tool for the rest of the run, or not. */
export type Answer = "call" | "run" | "no";
/** Asks a person; the caller waits no longer than the signal allows. */
export type Ask = (question: Question, signal: AbortSignal) => Promise<Answer>;

export type RunErrorCode =
  | "bad_request"
  | "syntax_error"
  | "type_error"
  | "blocked"
  | "read_only"
  | "thrown"
  | "tool_error"
  | "timeout"
  | "cpu_limit"
  | "memory_limit"
  | "output_limit"
  | "call_limit"
  | "crashed"
  | "cancelled"
  | "needs_confirmation"
  | "exited"
  | "too_large"
  | "busy"
  | "unavailable"
  | "internal";

export interface RunProblem {
  readonly code: RunErrorCode;
  readonly name: string;
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly stack?: string;
  readonly diagnostics?: readonly Diagnostic[];
  readonly retryable: boolean;
  readonly tool?: string;
  readonly details: JsonObject;
}

/** Plan of a program: the calls that it would make. */
export interface RunPlan {
  /** Sent again with it, within five minutes and once, the program runs as planned. */
  readonly id: string;
  readonly calls: readonly (Omit<Question, "line" | "kind"> & {
    readonly line: number | null;
    readonly effect: string;
  })[];
  /** True where a later call may depend on the result of one that was not made. */
  readonly uncertain: boolean;
  /** True where the program failed while it was planned. */
  readonly incomplete: boolean;
}

export interface RunReply {
  readonly run: string;
  readonly ok: boolean;
  readonly text: string;
  readonly value?: JsonValue;
  readonly error?: RunProblem;
  /** Where a plan was asked for. */
  readonly plan?: RunPlan;
  /** A command that is one call, taken apart; null for any other. Where it was to be explained. */
  readonly call?: LiteralCall | null;
  /** Images that tools sent beside the parts of the value, as in MCP. */
  readonly content?: readonly Content[];
  /** Set for a run within another: its value contains foreign text. */
  readonly external?: boolean;
  /** Handle of the whole result, where the text is a summary of it. */
  readonly stored?: string;
  /** Calls that a look refused; missing where it refused nothing. */
  readonly refused?: readonly RefusedCall[];
  /** Number of them, where they are too many to be listed. */
  readonly refused_total?: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly warnings: readonly string[];
  readonly calls: number;
  readonly ms: number;
  readonly timing: Readonly<
    Record<"parse" | "check" | "hand_over" | "execute" | "serialise", number>
  >;
}

export type RunEvent =
  | { readonly type: "started"; readonly run: string }
  | { readonly type: "stdout" | "stderr"; readonly data: string }
  | { readonly type: "call"; readonly tool: string; readonly id: string }
  | { readonly type: "called"; readonly id: string; readonly ok: boolean; readonly ms: number }
  | {
    readonly type: "progress";
    readonly progress: number;
    readonly total?: number;
    readonly message?: string;
    /** Set while a question waits that only the page at this address can answer. */
    readonly address?: string;
  }
  /** A warning, or a message of a server's log, which has a `logger`. */
  | {
    readonly type: "log";
    readonly level: McpLogLevel;
    readonly data: JsonValue;
    readonly logger?: string;
  }
  | { readonly type: "stdin"; readonly id: string }
  | {
    readonly type: "confirm";
    readonly id: string;
    readonly kind?: Question["kind"];
    readonly tool: string;
    readonly arguments: Question["arguments"];
    readonly line: number | null;
    readonly because?: string;
  }
  /** The question of this id, a `confirm`, has its answer from elsewhere. */
  | { readonly type: "answered"; readonly id: string }
  /** All calls of a program that would be made, to be answered as a `confirm`. */
  | {
    readonly type: "plan";
    readonly id: string;
    readonly calls: RunPlan["calls"];
    readonly uncertain: boolean;
    readonly incomplete: boolean;
  }
  /** A form of a server's; the message names it. */
  | {
    readonly type: "elicit";
    readonly id: string;
    readonly message: string;
    readonly schema: JsonObject;
    /** Address for the person to open, instead of a form. */
    readonly url?: string;
  }
  | ({ readonly type: "result" } & RunReply);
