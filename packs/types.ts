/** Interfaces of packs, tools and calls. */

import type { JsonObject, JsonValue, TraceContext, Tracer } from "#base";
import type { Effect, ToolEffect } from "./effect.ts";
import type { Transport } from "./server_config.ts";
import type { Peer } from "./peer.ts";

/** A JSON Schema as a server sent it: any shape, untrusted. */
export type JsonSchema = JsonObject;

/** One tool of a pack, as the pack describes it (MCP 2025-11-25 §tools). */
export interface ToolSpec {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: JsonObject;
  /** The pack's own word on its effect; a server has annotations alone. */
  readonly effect?: Effect;
  /** Arguments that are paths, by name; of Toolscript's own packs alone. */
  readonly paths?: Readonly<Record<string, PathForm>>;
}

/** Base of a path: the project, the repository, or the project behind `sqlite:`. */
export type PathForm = "project" | "repository" | "sqlite";

/** Arguments by name. Keys such as `__proto__` are data. */
export type Args = { readonly [name: string]: JsonValue };

/** One MCP content block: text, image, audio, resource or resource link. */
export type Content = JsonObject;

export interface CallResult {
  /** `structuredContent` if the server sent it; else text, parsed where it is a JSON object or array
   * (RUN-14). */
  readonly value: JsonValue;
  /** Content blocks, where any of them is not text. */
  readonly content?: readonly Content[];
  /** True where it holds foreign text, whichever pack returns it (RUN-58 to 60). */
  readonly external?: boolean;
  /** Whole result as the server sent it, also with `isError` or a request for input; only for a call
   * with `forward`. */
  readonly result?: JsonObject;
  /** True for a value in place of a result: the call was not made. */
  readonly standIn?: boolean;
}

/** Fields that an MCP client sent beside the arguments, forwarded unchanged (`_meta`,
 * `inputResponses`, `requestState`). */
export type Forward = JsonObject;

/** Match of a policy pattern, and its tool. */
export interface PolicyMatch {
  /** The pattern that matches. */
  readonly pattern: string;
  /** The rule that decided, by its place in the configuration. */
  readonly rule?: number;
  /** Its reason. */
  readonly because?: string;
  readonly entry: ToolEntry;
}

/** A call that needs confirmation by a person. */
export interface CallQuestion extends PolicyMatch {
  /** `github.delete_repo`. */
  readonly tool: string;
  /** Arguments as the tool would get them. */
  readonly arguments: Args;
}

/** Origin of a call, for the statistics. */
export interface CallOrigin {
  /** Run of the call. */
  readonly run?: string;
  /** Outermost run around that run, if there is one. */
  readonly within?: string;
  /** Runs around that run. */
  readonly depth?: number;
  /** Name of the client as it sent it. */
  readonly client?: string;
  /** Set for a client that speaks MCP. */
  readonly via?: "mcp";
}

/** A call that may be answered without being made. */
export interface InsteadCall {
  readonly entry: ToolEntry;
  /** Arguments as the tool would get them. */
  readonly arguments: Args;
  /** True if a tool makes the call, not the program itself. */
  readonly within?: boolean;
}

/** Receives the calls that a look has refused. */
export type Look = (refused: RefusedCall) => void;

/** A call that was not made since it does not only read. */
export interface RefusedCall {
  /** `github.delete_repo`. */
  readonly tool: string;
  /** Arguments as the tool would have got them. */
  readonly arguments: Args;
}

export interface CallOptions {
  /** The tool as it was when it was decided that it may be called. */
  readonly decided?: ToolSpec;
  readonly signal?: AbortSignal;
  readonly origin?: CallOrigin;
  readonly forward?: Forward;
  /** Repetitions of a call that fails for a reason that may pass, where it changes nothing or is
   * idempotent; one confirmation is for all of them. */
  readonly retry?: number;
  /** Client for the server's questions and log; missing where there is no client. */
  readonly peer?: Peer;
  /** Span of the call: parent of the pack's spans. */
  readonly span?: Tracer;
  /** Span of another process that the call belongs to. */
  readonly trace?: TraceContext;
  /** Receives a warning: of the policy with its match, of a changed tool without one. */
  readonly onWarning?: (warning: Partial<PolicyMatch> & { readonly message: string }) => void;
  /** Called before a tool whose results and errors are all foreign text. */
  readonly onForeign?: () => void;
  /** Set for a call that may only read: any other is refused, and told of here. */
  readonly look?: Look;
  /** Asks a person to confirm a call; missing where no person can be asked. */
  readonly ask?: (question: CallQuestion) => Promise<"allowed" | "declined" | "unanswerable">;
  /** Asks for a tool that runs code: allows one call of that code, the tool for the whole run, or
   * nothing. Throws `PackError` where no person can be asked. */
  readonly askWithin?: (
    question: {
      readonly kind?: "code";
      readonly tool: string;
      readonly arguments: Args;
      readonly line?: number;
    },
    signal: AbortSignal,
  ) => Promise<"call" | "run" | "no">;
  /** Makes the options of each call of code that a called tool runs. Set for a call of a plan:
   * witnesses are told of it only where it was made, or refused. */
  readonly planned?: () => Required<Pick<CallOptions, "ask" | "instead">>;
  /** Result of a call that is not to be made; undefined for one that is. Called once its arguments
   * are right and the policy allows it. Throws `PackError` for a call that is refused. */
  readonly instead?: (call: InsteadCall) => Promise<CallResult | undefined> | undefined;
  /** The same for a call of code that a called tool runs. */
  readonly insteadWithin?: CallOptions["instead"];
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Resolves once the caller has read most of what was sent to it. */
  readonly readsOn?: (() => Promise<void>) | undefined;
  /** Number of calls around this one: a call made by a tool is one deeper. */
  readonly depth?: number;
  /** Makes an inner call and counts it; without it the registry makes the call uncounted. */
  readonly callWithin?: (
    wire: string,
    args: unknown,
    options: CallOptions,
  ) => Promise<CallResult>;
}

export type PackState =
  | "connecting"
  | "connected"
  | "disconnected"
  | "idle"
  | "disabled"
  | "needs-auth"
  | "untrusted";

export interface PackStatus {
  readonly state: PackState;
  /** Transport of a server; `local` or `worker` for other packs. */
  readonly transport: "local" | "worker" | Transport;
  /** Short fixed phrase, never a path, a command or a secret. */
  readonly error: string | null;
}

export interface PersonalStep {
  /** Short fixed phrase, `needs_auth`. */
  readonly reason: string;
  /** State and way out, for an error's message. */
  readonly message: string;
  /** Command of the command line. */
  readonly command: string;
}

export interface Pack extends AsyncDisposable {
  /** The name in the config: letters, digits, `_` and `-`. */
  readonly name: string;
  /** `local`, `worker` or `proxy:<server>`. */
  readonly source: string;
  /** Purpose in one line. */
  readonly description?: string;
  /** Its server's own words on its use; foreign text. */
  instructions?(): string | null;
  /** Gives way to another pack of the same name: true for those that come with Toolscript. */
  readonly yields?: boolean;
  /** Left out of instructions and search while a connected server does the same. */
  readonly standsBack?: boolean;
  /** True where results hold foreign text; where missing, `openWorldHint` decides for each tool of
   * this process (RUN-58 to 60). */
  readonly external?: boolean;
  tools(): readonly ToolSpec[];
  status(): PackStatus;
  /** Calls a tool by its own name with validated arguments. Throws `PackError`. */
  call(tool: string, args: Args, options: CallOptions): Promise<CallResult>;
  /** Resolves when the tool list is known or finally unavailable; starts the pack where its tools are
   * unknown. Never rejects. */
  settle(): Promise<void>;
  /** Ends the pack's process or connection once its calls have ended, and starts it again; missing
   * where there is neither. */
  restart?(): void;
  /** Reason why the pack is unusable, with files and lines, for the person who can correct it. */
  problem?(): string | null;
  /** Number of tools that changed since they were first seen, and are not accepted. */
  changed?(): number;
  /** Step that a person has to take before the pack can be used, such as a sign-in. */
  step?(): PersonalStep | null;
  /** Asks a person to take that step; resolves once the tools are known. Throws `PackError`. */
  takeStep?(options: CallOptions): Promise<void>;
  /** Calls `listener` when `tools()` or `status()` may have changed. Returns the function that
   * unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** One tool in the registry, with all its names and its effect. */
export interface ToolEntry extends ToolEffect {
  /** `github__create_issue`, unique. */
  readonly wire: string;
  /** The pack's own name, `github`. */
  readonly pack: string;
  /** The tool's own name, `create_issue`. */
  readonly tool: string;
  /** The pack's property in code, `github`; unique among packs. */
  readonly packKey: string;
  /** The pack's name in snake_case, where it is an additional name that no other pack has. */
  readonly packSnake?: string;
  /** The tool's property in code, `createIssue`; unique in its pack. */
  readonly toolKey: string;
  /** The tool's name in snake_case, `get_tiny_image`, where it is an additional name that no other
   * tool has. */
  readonly snakeKey?: string;
  readonly source: string;
  readonly spec: ToolSpec;
}
