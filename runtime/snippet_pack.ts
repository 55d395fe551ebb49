/** Snippets as functions in code: `snippets.wsq({ q1: "AI" })` runs what the snippet expands to. */

import type { JsonObject } from "#base";
import { type CallOptions, createLocalPack, type Pack, PackError } from "#packs";
import { MAX_DEPTH } from "#sandbox";
import type { SnippetDefinition } from "./command/types.ts";
import type { ProgramReader } from "./program/types.ts";
import { RunRefused } from "./run/errors.ts";
import type { RunOptions } from "./run/stage.ts";
import type { CommandRequest, RunErrorCode, RunReply } from "./run/types.ts";

export interface SnippetPackDeps {
  readonly snippets: Readonly<Record<string, SnippetDefinition>>;
  readonly run: (
    request: CommandRequest,
    options: Pick<
      RunOptions,
      | "signal"
      | "ask"
      | "insteadWithin"
      | "planned"
      | "peer"
      | "client"
      | "within"
      | "depth"
      | "span"
      | "look"
      | "via"
    >,
  ) => Promise<RunReply>;
  /** Expands a snippet without blocking the event loop. */
  readonly expand: ProgramReader["expand"];
  readonly cwd: string;
}

/** Makes the pack `snippets`: one tool for each snippet, with its parameters. */
export function createSnippetPack({ snippets, run, expand, cwd }: SnippetPackDeps): Pack {
  const tools = Object.entries(snippets).map(([name, snippet]) => ({
    spec: {
      name,
      description: snippet.description ?? "",
      inputSchema: schemaOf(snippet),
    },
    async call(args: JsonObject, options: CallOptions) {
      const { signal = new AbortController().signal, askWithin: ask, insteadWithin } = options;
      const { planned, peer, origin, span, look } = options;
      const { client } = origin ?? {};
      const within = origin?.within ?? origin?.run;
      const depth = within === undefined ? 0 : (origin?.depth ?? 0) + 1;
      if (depth > MAX_DEPTH) throw tooDeep(name);
      const expansion = await expand(snippet, { ...args }, { signal, client: within });
      if (expansion.kind === "failed") {
        const message = `Cannot run the snippet "${name}": ${expansion.message}`;
        throw new PackError("tool_error", message, { tool: `snippets.${name}` });
      }
      const reply = await run(
        { kind: "command", command: expansion.command, cwd, ...(look ? { look: true } : {}) },
        {
          signal,
          ask,
          insteadWithin,
          planned,
          peer,
          client,
          within,
          depth,
          span,
          look,
          via: origin?.via,
        },
      ).catch((error) => {
        throw refusedSnippet(name, error);
      });
      if (reply.ok) return { value: reply.value ?? null, external: reply.external };
      const message = `Cannot run the snippet "${name}": ${reply.error?.message ?? reply.text}`;
      const code = codeOf(reply.error?.code);
      const details = code === "tool_error" ? {} : reply.error?.details;
      const { external } = reply;
      throw new PackError(code, message, { tool: `snippets.${name}`, details, external });
    },
  }));
  return createLocalPack("snippets", tools);
}

function tooDeep(name: string): PackError {
  const message = `Cannot run the snippet "${name}": ${MAX_DEPTH} snippets already wait for one ` +
    "another: make its calls here";
  return new PackError("blocked", message, { tool: `snippets.${name}` });
}

/** Code of an error: a refusal is not an error of the snippet. */
function codeOf(
  code: RunErrorCode | undefined,
): "blocked" | "read_only" | "needs_confirmation" | "tool_error" {
  const isRefusal = code === "blocked" || code === "read_only" || code === "needs_confirmation";
  return isRefusal ? code : "tool_error";
}

function refusedSnippet(name: string, error: unknown): unknown {
  if (!(error instanceof RunRefused)) return error;
  const { code, message, details } = error;
  const retryable = code === "busy" || code === "unavailable";
  return new PackError(
    code === "busy" || code === "not_found" ? "unavailable" : code,
    `Cannot run the snippet "${name}": ${message}`,
    { cause: error, tool: `snippets.${name}`, retryable, details },
  );
}

function schemaOf({ params }: SnippetDefinition): JsonObject {
  const properties = Object.entries(params).map(([name, param]) => {
    return [name, { ...param }] as const;
  });
  const required = Object.entries(params).filter(([, param]) => param.default === undefined)
    .map(([name]) => name);
  return {
    type: "object",
    properties: Object.fromEntries(properties),
    required,
    additionalProperties: false,
  };
}
