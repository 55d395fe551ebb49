/** What everything callable looks like, whatever runs it. */

import type { Transport } from "./server_config.ts";
import type { JsonObject, JsonValue, TraceContext, Tracer } from "#sandbox";
import type { Peer } from "./peer.ts";

/** A JSON Schema as a server sent it: any shape, trusted in nothing. */
export type JsonSchema = JsonObject;

/** One tool of a pack, as the pack describes it (MCP 2025-11-25 §tools). */
export interface ToolSpec {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations?: JsonObject;
}

/** Arguments by name. Keys such as `__proto__` are data. */
export type Args = { readonly [name: string]: JsonValue };

/** One MCP content block: text, image, audio, resource or resource link. */
export type Content = JsonObject;

export interface CallResult {
  /** `structuredContent` if the server gave it, else text that parses as a JSON object or array is
   * parsed, else the string (CONFORMANCE RUN-14). */
  readonly value: JsonValue;
  /** The content blocks, where the tool sent anything that is not text. */
  readonly content?: readonly Content[];
  /** It holds what others wrote, whichever pack hands it on (RUN-58 to 60). */
  readonly external?: boolean;
  /** The whole answer as the server sent it, also one that says `isError` or asks for input; for a
   * call with `forward` only. */
  readonly result?: JsonObject;
}

/** What an MCP client sent beside the arguments, to be passed on as it is (`_meta`,
 * `inputResponses`, `requestState`). */
export type Forward = JsonObject;

/** What a policy says of a call, and of which tool. */
export interface PolicyMatch {
  /** The pattern that matches. */
  readonly pattern: string;
  readonly entry: ToolEntry;
}

/** A call that a person is to be asked about. */
export interface CallQuestion extends PolicyMatch {
  /** `github.delete_repo`. */
  readonly tool: string;
  /** As the tool would get them. */
  readonly arguments: Args;
}

/** Who makes a call: what the statistics know it by. */
export interface CallOrigin {
  /** The run that it belongs to. */
  readonly run?: string;
  /** The run that this run is a part of, if it is. */
  readonly within?: string;
  /** The client's name as it gave it. */
  readonly client?: string;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly origin?: CallOrigin;
  readonly forward?: Forward;
  /** Who the server that is called may ask and tell; missing where nobody is there. */
  readonly peer?: Peer;
  /** The span that the call belongs to: what a pack does for it is its child. */
  readonly span?: Tracer;
  /** The span of another process that the call belongs to. */
  readonly trace?: TraceContext;
  readonly onWarning?: (warning: PolicyMatch & { readonly message: string }) => void;
  /** Asks whether a call may be made; where it is missing there is nobody to ask. */
  readonly ask?: (question: CallQuestion) => Promise<"allowed" | "declined" | "nobody">;
  /** The same for a tool that runs code itself: this call of that code, this tool for the whole run,
   * or not. Throws `PackError` where there is nobody. */
  readonly askWithin?: (
    question: {
      readonly kind?: "code";
      readonly tool: string;
      readonly arguments: Args;
      readonly line?: number;
    },
    signal: AbortSignal,
  ) => Promise<"call" | "run" | "no">;
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** How many calls this one is made within: what a tool calls is called one deeper. */
  readonly depth?: number;
  /** Makes a call within this one, where somebody counts; the registry makes it where nobody does. */
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
  /** `local`, `worker`, or how a server is reached. */
  readonly transport: "local" | "worker" | Transport;
  /** A short fixed phrase, never a path, a command or a secret. */
  readonly error: string | null;
}

export interface Pack extends AsyncDisposable {
  /** The name in the config: letters, digits, `_` and `-`. */
  readonly name: string;
  /** `local`, `worker` or `proxy:<server>`. */
  readonly source: string;
  /** What it is for, in one line. */
  readonly description?: string;
  /** Gives way to another pack of the same name: true for those that come with Toolscript. */
  readonly yields?: boolean;
  /** Whether what its tools answer was written by others; where it is missing, a tool of this
   * process says so itself, by `openWorldHint` (RUN-58 to 60). */
  readonly external?: boolean;
  tools(): readonly ToolSpec[];
  status(): PackStatus;
  /** Calls one tool by its own name with arguments that were already validated.
   * Throws `PackError`. */
  call(tool: string, args: Args, options: CallOptions): Promise<CallResult>;
  /** Resolves when the tool list is known or finally cannot be had; starts what is not started
   * and whose tools are not known yet. Never rejects. */
  settle(): Promise<void>;
  /** What is wrong with it where it cannot be used, for who can mend it: names files and lines. */
  problem?(): string | null;
  /** Called with no arguments when `tools()` or `status()` may answer differently.
   * Returns the function that unsubscribes. */
  onChange(listener: () => void): () => void;
}

/** One tool in the registry, with every name it goes by. */
export interface ToolEntry {
  /** `github__create_issue`, unique. */
  readonly wire: string;
  /** The pack's own name, `github`. */
  readonly pack: string;
  /** The tool's own name, `create_issue`. */
  readonly tool: string;
  /** The pack's property in code, `github`; unique among packs. */
  readonly packKey: string;
  /** The pack's name in snake_case, where that is a further name and no other pack's. */
  readonly packSnake?: string;
  /** The tool's property in code, `createIssue`; unique in its pack. */
  readonly toolKey: string;
  /** Its name in snake_case, `get_tiny_image`, where that is neither of these and no other tool's. */
  readonly snakeKey?: string;
  readonly source: string;
  readonly spec: ToolSpec;
}
