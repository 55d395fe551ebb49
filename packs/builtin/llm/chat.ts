/** Requests to the model. */

import type { JsonObject } from "#base";
import { askJson } from "../kit/ask_json.ts";
import { asList, asRecord, asText } from "../kit/values.ts";
import { PackError } from "../../errors.ts";
import type { LlmSettings } from "./settings.ts";

export interface Message {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
}

export interface Completion {
  readonly text: string;
  readonly model: string;
  readonly usage: Usage;
}

export type ConfiguredLlm = LlmSettings & { readonly baseUrl: string; readonly model: string };

export interface ChatOptions {
  readonly settings: ConfiguredLlm;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
  /** First words of an error: `Cannot transform`. */
  readonly what: string;
  readonly model?: string;
  readonly maxTokens?: number;
  readonly temperature?: number;
  /** Response format; dropped if the endpoint does not support it. */
  readonly responseFormat?: JsonObject;
}

/** Sends messages and returns the model's reply. Throws `PackError`. */
export async function chat(
  messages: readonly Message[],
  options: ChatOptions,
): Promise<Completion> {
  const { settings, what } = options;
  const answer = asRecord(await send(messages, options));
  const choice = asRecord(asList(answer.choices)[0]);
  const message = asRecord(choice.message);
  const refusal = asText(message.refusal);
  if (refusal !== undefined) {
    throw new PackError("tool_error", `${what}: the model refuses: ${refusal.slice(0, 300)}`);
  }
  const text = contentOf(message.content);
  if (choice.finish_reason === "length") {
    const way = "pass a larger max_tokens, or less at once";
    throw new PackError("too_large", `${what}: the answer has been cut off: ${way}`);
  }
  if (text === undefined) {
    throw new PackError("tool_error", `${what}: the endpoint answered without a message`, {
      retryable: true,
    });
  }
  return {
    text,
    model: asText(answer.model) ?? options.model ?? settings.model,
    usage: usageOf(answer.usage),
  };
}

async function send(messages: readonly Message[], options: ChatOptions): Promise<unknown> {
  const { settings, fetch, signal, what, responseFormat } = options;
  const { baseUrl, apiKey, timeoutMs } = settings;
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}/chat/completions`);
  const body = {
    model: options.model ?? settings.model,
    messages,
    stream: false,
    max_tokens: options.maxTokens ?? settings.maxTokens,
    temperature: options.temperature ?? settings.temperature,
  };
  const headers: Record<string, string> = apiKey ? { authorization: `Bearer ${apiKey}` } : {};
  const request = {
    fetch,
    signal,
    timeoutMs,
    what,
    service: "The endpoint",
    keySetting: "packs.llm.api_key",
    timeoutSetting: "packs.llm.timeout",
    secret: apiKey,
  };
  if (responseFormat === undefined) return await askJson({ url, headers, body }, request);
  try {
    const formatted = { ...body, response_format: responseFormat };
    return await askJson({ url, headers, body: formatted }, request);
  } catch (error) {
    const status = error instanceof PackError ? error.details.status : undefined;
    if (status !== 400 && status !== 422) throw error;
    // Not every endpoint supports response formats; the prompt asks for the same.
    return await askJson({ url, headers, body }, request);
  }
}

/** Content of a message: a text, or the texts of its parts. */
function contentOf(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  const parts = asList(content).flatMap((part) => asText(asRecord(part).text) ?? []);
  return parts.length > 0 ? parts.join("") : undefined;
}

function usageOf(usage: unknown): Usage {
  const { prompt_tokens: input, completion_tokens: output } = asRecord(usage);
  return {
    input_tokens: typeof input === "number" ? input : 0,
    output_tokens: typeof output === "number" ? output : 0,
  };
}
