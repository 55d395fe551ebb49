/** How a tool that comes with Toolscript is written: typed parameters in, plain data out. */

import type { JsonObject, JsonValue } from "#sandbox";
import { createLocalPack, type LocalTool } from "../../local.ts";
import type { Args, CallOptions, Pack } from "../../types.ts";
import { callError } from "./failure.ts";
import { type Given, inputSchemaOf, type Params } from "./params.ts";

/** What a tool does to the world, for MCP clients and for those who write `security.ask`:
 * `read` changes nothing, `write` adds or changes, `destroy` may lose what was there. */
export type Effect = "read" | "write" | "destroy";

export interface ToolContext {
  /** Ends with the run; never missing. */
  readonly signal: AbortSignal;
  readonly onProgress?: CallOptions["onProgress"];
}

export interface ToolDefinition<P extends Params> {
  readonly name: string;
  /** First what it does, in a line that stands alone; then what is worth knowing. */
  readonly description: string;
  readonly params: P;
  /** The JSON Schema of the value, where it is stable: programs are type-checked by it. */
  readonly returns?: JsonObject;
  /** Calls as an agent writes them; shown in the help. Tests run them. */
  readonly examples?: readonly string[];
  readonly effect: Effect;
  /** Whether calling it twice is the same as once. */
  readonly idempotent?: boolean;
  /** Whether it talks to the world outside this machine. */
  readonly openWorld?: boolean;
  /** Import what is heavy in here, not at the top of the file. Errors of the file system and of an
   * ended signal become `PackError`s by themselves. */
  run(args: Given<P>, context: ToolContext): Promise<JsonValue | object>;
}

/** A tool whose parameters' types are its function's alone. */
export interface BuiltinTool {
  readonly name: string;
  toLocal(pack: string): LocalTool;
}

export interface BuiltinPackOptions {
  /** What the pack is for, in one line. */
  readonly description: string;
  readonly dispose?: () => PromiseLike<void>;
}

/** Makes one tool of a built-in pack. */
export function defineTool<P extends Params>(definition: ToolDefinition<P>): BuiltinTool {
  const { name, params } = definition;
  const fallbacks = Object.entries(params).flatMap(([key, { fallback }]) =>
    fallback === undefined ? [] : [[key, fallback] as const]
  );
  return {
    name,
    toLocal: (pack) => ({
      spec: specOf(definition),
      async call(args: Args, { signal = new AbortController().signal, onProgress }) {
        try {
          signal.throwIfAborted();
          const given = { ...Object.fromEntries(fallbacks), ...args } as Given<P>;
          return { value: await definition.run(given, { signal, onProgress }) as JsonValue };
        } catch (error) {
          throw callError(error, { tool: `${pack}.${name}`, signal });
        }
      },
    }),
  };
}

/** Makes a built-in pack. One of the same name in the config, or an extension, takes its place. */
export function createBuiltinPack(
  name: string,
  tools: readonly BuiltinTool[],
  { description, dispose }: BuiltinPackOptions,
): Pack {
  const pack = createLocalPack(name, tools.map((tool) => tool.toLocal(name)));
  return {
    ...pack,
    description,
    yields: true,
    [Symbol.asyncDispose]: dispose ?? pack[Symbol.asyncDispose],
  };
}

function specOf(definition: ToolDefinition<Params>): LocalTool["spec"] {
  const { name, description, examples = [], params, returns, effect } = definition;
  const shown = examples.length > 0 ? `\n\nExamples:\n${examples.join("\n")}` : "";
  return {
    name,
    description: description + shown,
    inputSchema: inputSchemaOf(params),
    outputSchema: returns,
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: effect === "destroy",
      idempotentHint: definition.idempotent ?? effect === "read",
      openWorldHint: definition.openWorld ?? false,
    },
  };
}
