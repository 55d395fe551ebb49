/** `llm.transform` and `llm.complete`. */

import type { JsonObject, JsonValue } from "#base";
import type { JobWorkers } from "../../jobs/workers.ts";
import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { object, TEXT, WHOLE } from "../kit/schemas.ts";
import type { Verdict } from "../data/work/validate.ts";
import { PackError } from "../../errors.ts";
import {
  chat,
  type ChatOptions,
  type Completion,
  type ConfiguredLlm,
  type Message,
} from "./chat.ts";
import { dataText, jsonIn, transformMessages } from "./prompt.ts";

export interface LlmParts {
  readonly settings: ConfiguredLlm;
  readonly workers: JobWorkers;
  readonly fetch: typeof fetch;
}

const SHARED = {
  model: p.optional(p.text("Another model than packs.llm.model")),
  max_tokens: p.optional(p.whole("Most tokens of the answer", { minimum: 1 })),
  temperature: p.optional(
    p.number("0 for the likeliest answer, up to 2", { minimum: 0, maximum: 2 }),
  ),
};
const USAGE = object({ input_tokens: WHOLE, output_tokens: WHOLE });

/** Makes the tools. */
export function llmTools(parts: LlmParts): BuiltinTool[] {
  return [transformTool(parts), completeTool(parts)];
}

function transformTool(parts: LlmParts): BuiltinTool {
  return defineTool({
    name: "transform",
    description:
      "Has a language model transform a value by an instruction. The value is given to " +
      "it as data, not as instructions. With a schema the result is JSON that is valid by it, " +
      "else text.",
    params: {
      input: p.anything("The value: a text, or anything that JSON can say"),
      prompt: p.text("What to make of it", {
        minLength: 1,
        examples: ["Extract the key findings"],
      }),
      schema: p.optional(
        p.anything("A JSON Schema that the result must be valid by", { type: "object" }),
      ) as p.Param<JsonObject | undefined>,
      ...SHARED,
    },
    returns: object({ value: {}, model: TEXT, usage: USAGE }),
    examples: [
      'llm.transform(input=notes, prompt="Extract the key findings").value',
      'llm.transform(input=mail, prompt="Who wrote it?", schema={"type": "string"}).value',
    ],
    effect: "read",
    idempotent: false,
    openWorld: true,
    run: async ({ input, prompt, schema, ...rest }, { signal, run }) => {
      const options = optionsOf(parts, rest, { what: "Cannot transform", signal });
      const data = dataText(input);
      checkSize(
        [data, prompt, schema && JSON.stringify(schema)],
        parts.settings,
        "Cannot transform",
      );
      const messages = transformMessages({ prompt, data, schema });
      if (schema !== undefined) return await structured(messages, { parts, options, schema, run });
      const { text, model, usage } = await chat(messages, options);
      return { value: text, model, usage };
    },
  });
}

function completeTool(parts: LlmParts): BuiltinTool {
  return defineTool({
    name: "complete",
    description: "Has a language model answer a prompt, as text. For data of others use transform.",
    params: {
      prompt: p.text("The prompt", { minLength: 1 }),
      system: p.optional(p.text("What the model is told before it")),
      ...SHARED,
    },
    returns: object({ value: TEXT, model: TEXT, usage: USAGE }),
    examples: ['llm.complete(prompt="Name three teas").value'],
    effect: "read",
    idempotent: false,
    openWorld: true,
    run: async ({ prompt, system, ...rest }, { signal }) => {
      const options = optionsOf(parts, rest, { what: "Cannot complete", signal });
      checkSize([prompt, system], parts.settings, "Cannot complete");
      const before: Message[] = system === undefined ? [] : [{ role: "system", content: system }];
      const messages: Message[] = [...before, { role: "user", content: prompt }];
      const { text, model, usage } = await chat(messages, options);
      return { value: text, model, usage };
    },
  });
}

interface ModelArgs {
  readonly model: string | undefined;
  readonly max_tokens: number | undefined;
  readonly temperature: number | undefined;
}

function optionsOf(
  { settings, fetch }: LlmParts,
  { model, max_tokens: maxTokens, temperature }: ModelArgs,
  rest: { readonly what: string; readonly signal: AbortSignal },
): ChatOptions {
  return { settings, fetch, model, maxTokens, temperature, ...rest };
}

/** Throws `PackError` where the texts of a call are larger together than what may be sent. */
function checkSize(
  texts: readonly (string | undefined)[],
  { maxInputChars }: ConfiguredLlm,
  what: string,
): void {
  const chars = texts.reduce((sum, text) => sum + (text?.length ?? 0), 0);
  if (chars <= maxInputChars) return;
  const why = `the input has ${chars} characters, at most ${maxInputChars} are sent`;
  throw new PackError(
    "too_large",
    `${what}: ${why}: pick what matters, or set packs.llm.max_input_kb`,
  );
}

interface StructuredOptions {
  readonly parts: LlmParts;
  readonly options: ChatOptions;
  readonly schema: JsonObject;
  readonly run: string | undefined;
}

/** Asks for a value that is valid by the schema. After an invalid answer it asks once more, with the
 * problem. */
async function structured(messages: Message[], asking: StructuredOptions) {
  const { options, schema } = asking;
  const responseFormat = {
    type: "json_schema",
    json_schema: { name: "result", schema, strict: false },
  };
  const chatOptions = { ...options, responseFormat };
  const first = await chat(messages, chatOptions);
  const verdict = await validate(first.text, asking);
  if (verdict.kind === "valid") return { ...about(first), value: verdict.value };
  const second = await chat([
    ...messages,
    { role: "assistant", content: first.text },
    {
      role: "user",
      content: `That is not valid: ${verdict.problem}. Answer again, with valid JSON alone.`,
    },
  ], chatOptions);
  const again = await validate(second.text, asking);
  const usage = {
    input_tokens: first.usage.input_tokens + second.usage.input_tokens,
    output_tokens: first.usage.output_tokens + second.usage.output_tokens,
  };
  if (again.kind === "valid") return { ...about(second), value: again.value, usage };
  const why = `the model's answer is not valid by the schema, twice: ${again.problem}`;
  throw new PackError("tool_error", `${options.what}: ${why}`, {
    retryable: true,
    details: { answer: second.text.slice(0, 1_000), usage },
  });
}

function about({ model, usage }: Completion) {
  return { model, usage };
}

type Validation =
  | { readonly kind: "valid"; readonly value: JsonValue }
  | { readonly kind: "invalid"; readonly problem: string };

async function validate(
  answer: string,
  { parts, options: { signal }, schema, run }: StructuredOptions,
): Promise<Validation> {
  const parsed = await jsonIn(answer);
  if ("problem" in parsed) return { kind: "invalid", problem: parsed.problem };
  const { value } = parsed;
  const verdict = await parts.workers.run<Verdict>(
    { kind: "check", input: { value, schema } },
    { what: "check the answer by the schema", signal, run },
  );
  if (verdict.valid) return { kind: "valid", value };
  const problems = verdict.errors.slice(0, 5).map(({ path, message }) =>
    `${path || "/"}: ${message}`
  );
  return { kind: "invalid", problem: problems.join("; ").slice(0, 1_000) };
}
