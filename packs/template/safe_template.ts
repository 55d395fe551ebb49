/** The one file that touches nunjucks. What a template may do is a list; nothing in it reaches
 * code, a prototype or a file. It may still take long: whoever takes one from an agent runs it
 * under a time limit. */

// @ts-types="./nunjucks.d.ts"
import nunjucks from "nunjucks";
import { isObject } from "#sandbox/json";
import { checkTemplate } from "./check_template.ts";
import { TemplateError } from "./error.ts";
import { createGlobals, type TemplateGlobals } from "./globals.ts";

/** Turns of all loops together. */
const MOST_TURNS = 1_000_000;
/** Turns of all loops, times the length of the template. */
const MOST_LOOPED = 100_000_000;

export interface TemplateParts {
  /** Whether a name has a value: it goes before a global of the same name. */
  readonly has: (name: string) => boolean;
  /** The value of a name; throws `TemplateError` for one that there is not. */
  readonly lookup: (name: string) => unknown;
  /** What stands in the text for a value. */
  readonly put: (value: unknown) => string;
  /** Filters that take the place of those with these names: `safe`, `tojson`, `dump`. */
  readonly filters: Readonly<Record<string, (value: unknown) => unknown>>;
  /** What the errors call the templates: `snippets`. */
  readonly kind: string;
}

/** The text of a template. */
export function renderSafely(body: string, parts: TemplateParts): string {
  try {
    // The compiler joins names into code unescaped: it gets none but plain ones.
    checkTemplate(nunjucks.parser.parse(body, [], {}), parts.kind);
    const template = new nunjucks.Template(body, environment(parts.filters), parts.kind, true);
    return render(template, { parts, globals: createGlobals(), length: body.length });
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const [, own] = /(TemplateError: .*)$/s.exec(message) ?? [];
    throw new TemplateError(
      (own ?? message).replace(/^TemplateError: /, "").replaceAll(/\s+/g, " "),
    );
  }
}

/** Whether a value is text that a filter keeps in an object of its own. */
export function isSafeText(value: unknown): boolean {
  return value instanceof String || value instanceof nunjucks.runtime.SafeString;
}

function render(
  template: nunjucks.CompiledTemplate,
  { parts: { has, lookup, put }, globals, length }: {
    readonly parts: TemplateParts;
    readonly globals: TemplateGlobals;
    readonly length: number;
  },
): string {
  const runtime = {
    ...nunjucks.runtime,
    suppressValue: put,
    memberLookup: ownMember,
    callWrap: (callee: unknown, name: string, _context: unknown, args: readonly unknown[]) =>
      globals.call(callee, name, args),
    fromIterator: boundedLoops(length),
  };
  const context = {
    env: template.env, // some filters read its options
    lookup: (name: string) => !has(name) && globals.has(name) ? globals.get(name) : lookup(name),
    setVariable() {},
    addExport() {},
  };
  const frame = new nunjucks.runtime.Frame();
  frame.topLevel = true;
  let result: string | undefined;
  let failure: unknown;
  template.rootRenderFunc(template.env, context, frame, runtime, (error, text) => {
    failure = error;
    result = text ?? undefined;
  });
  if (result === undefined) throw failure ?? new TemplateError("The template gives nothing");
  return result;
}

/** Makes the function that nunjucks gives what each loop goes over. */
function boundedLoops(length: number): (items: unknown) => unknown {
  const most = Math.min(MOST_TURNS, Math.floor(MOST_LOOPED / Math.max(1, length)));
  let turns = 0;
  return (items) => {
    turns += Array.isArray(items) || typeof items === "string"
      ? items.length
      : isObject(items)
      ? Object.keys(items).length
      : 0;
    if (turns <= most) return items;
    throw new TemplateError(`The template's loops take more than ${most} turns`);
  };
}

/** No loaders, no globals, nothing escaped by itself. */
function environment(filters: TemplateParts["filters"]): nunjucks.Environment {
  const made = new nunjucks.Environment([], { autoescape: false });
  made.globals = {};
  for (const [name, filter] of Object.entries(filters)) made.addFilter(name, filter);
  return made;
}

/** Only what a value holds itself. */
function ownMember(owner: unknown, key: unknown): unknown {
  if (owner === null || owner === undefined) return undefined;
  const name = typeof key === "number" ? key : String(key);
  if (typeof owner !== "object" && typeof owner !== "string") return undefined;
  return Object.hasOwn(Object(owner), name) ? Reflect.get(Object(owner), name) : undefined;
}
