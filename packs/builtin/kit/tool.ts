/** Definition of built-in tools and packs: typed parameters in, plain data out. */

import type { JsonObject, JsonValue, Semaphore } from "#base";
import type { Effect } from "../../effect.ts";
import { createLocalPack, type LocalTool } from "../../local.ts";
import type { Args, CallOptions, Pack } from "../../types.ts";
import { callError } from "./failure.ts";
import type { Moves } from "./moves.ts";
import { type ArgsOf, argsOf, inputSchemaOf, type Params, pathsOf } from "./params.ts";

/** Run that calls. */
export interface Caller {
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** Its id. */
  readonly run: string | undefined;
}

export interface ToolContext extends Caller {
  readonly onProgress?: CallOptions["onProgress"];
  /** True for a call that may only read. */
  readonly isLook: boolean;
}

export interface ToolDefinition<P extends Params> {
  readonly name: string;
  /** First line: the job of the tool. Further lines: details. */
  readonly description: string;
  readonly params: P;
  /** JSON Schema of a stable value: programs are type-checked by it. */
  readonly returns?: JsonObject;
  /** Calls as an agent writes them, for the help. Tests run them. */
  readonly examples?: readonly string[];
  readonly effect: Effect;
  /** True if a second call changes nothing more (default: for `read`). */
  readonly idempotent?: boolean;
  /** True if the tool reaches beyond this machine. */
  readonly openWorld?: boolean;
  /** Runs the tool. Import heavy modules here, not at the top of the file. Errors of the file system
   * and of an ended signal become `PackError`. */
  run(args: ArgsOf<P>, context: ToolContext): Promise<JsonValue | object>;
}

/** A tool without the types of its parameters. */
export interface BuiltinTool {
  readonly name: string;
  /** The tool as one of a pack, whose calls work in these places. */
  toLocal(pack: string, places?: Semaphore): LocalTool;
}

export interface BuiltinPackOptions {
  /** Purpose of the pack, in one line. */
  readonly description: string;
  /** Parts to dispose with the pack, in this order. */
  readonly owns?: readonly AsyncDisposable[];
  /** Places in which its calls work: one run has a share of them. */
  readonly places?: Semaphore;
}

/** Makes one tool of a built-in pack. */
export function defineTool<P extends Params>(definition: ToolDefinition<P>): BuiltinTool {
  const { name, params } = definition;
  return {
    name,
    toLocal: (pack, places) => ({
      spec: specOf(definition),
      async call(args: Args, options: CallOptions) {
        const { signal = new AbortController().signal, onProgress, look, origin } = options;
        try {
          signal.throwIfAborted();
          // Runs of snippets share the places of the run around them.
          const run = origin?.within ?? origin?.run;
          using _place = await places?.acquire(signal, run);
          const context = { signal, run, onProgress, isLook: look !== undefined };
          return { value: await definition.run(argsOf(params, args), context) as JsonValue };
        } catch (error) {
          throw callError(error, { tool: `${pack}.${name}`, signal });
        }
      },
    }),
  };
}

/** Tools that rely on paths after they were checked: nothing is moved during their calls. */
export function whileNothingMoves(tools: readonly BuiltinTool[], moves: Moves): BuiltinTool[] {
  return tools.map(({ name, toLocal }) => ({
    name,
    toLocal(pack, places) {
      const { spec, call } = toLocal(pack, places);
      return { spec, call: (args, options) => moves.beside(() => call(args, options)) };
    },
  }));
}

/** Makes a built-in pack. A server or an extension with the same name replaces it. */
export function createBuiltinPack(
  name: string,
  tools: readonly BuiltinTool[],
  { description, owns = [], places }: BuiltinPackOptions,
): Pack {
  const pack = createLocalPack(name, tools.map((tool) => tool.toLocal(name, places)));
  return {
    ...pack,
    description,
    yields: true,
    async [Symbol.asyncDispose]() {
      for (const part of owns) await part[Symbol.asyncDispose]();
    },
  };
}

/** Makes a pack that is not configured yet. It has no tools; help and errors tell the `way` to switch
 * it on: `set packs.brave.api_key`. */
export function createOffPack(
  name: string,
  { description, way }: { readonly description: string; readonly way: string },
): Pack {
  return {
    ...createBuiltinPack(name, [], { description }),
    status: () => ({ state: "disabled", transport: "local", error: null }),
    problem: () => `it is off: ${way}`,
  };
}

function specOf(definition: ToolDefinition<Params>): LocalTool["spec"] {
  const { name, description, examples = [], params, returns, effect } = definition;
  const help = examples.length > 0 ? `\n\nExamples:\n${examples.join("\n")}` : "";
  return {
    name,
    description: description + help,
    inputSchema: inputSchemaOf(params),
    paths: pathsOf(params),
    outputSchema: returns,
    effect,
    annotations: {
      readOnlyHint: effect === "read",
      destructiveHint: effect === "destroy",
      idempotentHint: definition.idempotent ?? effect === "read",
      openWorldHint: definition.openWorld ?? false,
    },
  };
}
