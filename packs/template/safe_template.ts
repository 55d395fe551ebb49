/** Renders templates by allow lists: they reach no code, prototype or file. A template may still take
 * long, so callers run templates of agents under a time limit. The only file that uses nunjucks. */

// @ts-types="./nunjucks.d.ts"
import nunjucks from "nunjucks";
import { isObject, messageOf } from "#base";
import { BOUNDED_FILTERS, boundedFilter, checkVariable } from "./bounded_filters.ts";
import { checkTemplate } from "./check_template.ts";
import { TemplateError } from "./error.ts";
import { createGlobals, type TemplateGlobals } from "./globals.ts";

/** Limit of the turns of all loops. */
const MOST_TURNS = 1_000_000;
/** Limit of the turns of all loops, times the length of the template. */
const MOST_LOOPED = 100_000_000;

export interface TemplateParts {
  /** True if a name has a value, which hides a global of the same name. */
  readonly has: (name: string) => boolean;
  /** Value of a name. Throws `TemplateError` for an unknown one. */
  readonly lookup: (name: string) => unknown;
  /** Text to insert for a value. */
  readonly insert: (value: unknown) => string;
  /** Filters that replace nunjucks' own: `safe`, `tojson`, `dump`. */
  readonly filters: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Word for the templates in errors: `snippets`. */
  readonly kind: string;
}

/** Renders a template. Throws `TemplateError`, or `RangeError` from the engine. */
export function renderSafely(body: string, parts: TemplateParts): string {
  try {
    // The compiler inserts names into code unescaped, so the check comes first.
    checkTemplate(nunjucks.parser.parse(body, [], {}), parts.kind);
    const template = new nunjucks.Template(body, environment(parts.filters), parts.kind, true);
    return render(template, { parts, globals: createGlobals(), length: body.length });
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw error;
    const message = messageOf(error);
    const [, own] = /(TemplateError: .*)$/s.exec(message) ?? [];
    throw new TemplateError(
      (own ?? message).replace(/^TemplateError: /, "").replaceAll(/\s+/g, " "),
    );
  }
}

/** True for a text that a filter wrapped in an object. */
export function isSafeText(value: unknown): boolean {
  return value instanceof String || value instanceof nunjucks.runtime.SafeString;
}

function render(
  template: nunjucks.CompiledTemplate,
  { parts: { has, lookup, insert }, globals, length }: {
    readonly parts: TemplateParts;
    readonly globals: TemplateGlobals;
    readonly length: number;
  },
): string {
  const runtime = {
    ...nunjucks.runtime,
    suppressValue: insert,
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
  const frame = new BoundedFrame();
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

/** Variables of a template: a loop that doubles one would fill the memory. */
class BoundedFrame extends nunjucks.runtime.Frame {
  override push(isolates: boolean): BoundedFrame {
    return new BoundedFrame(this, isolates);
  }

  override set(name: string, value: unknown, isOuter?: boolean): void {
    checkVariable(value);
    super.set(name, value, isOuter);
  }
}

/** Makes the function that nunjucks calls with the items of each loop. Throws `TemplateError` beyond the
 * limit. */
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

/** Makes an environment without loaders, globals and automatic escaping. */
function environment(filters: TemplateParts["filters"]): nunjucks.Environment {
  const result = new nunjucks.Environment([], { autoescape: false });
  result.globals = {};
  for (const name of BOUNDED_FILTERS) {
    result.addFilter(name, boundedFilter(name, result.getFilter(name)));
  }
  for (const [name, filter] of Object.entries(filters)) result.addFilter(name, filter);
  return result;
}

/** Reads a member that the value itself owns. */
function ownMember(owner: unknown, key: unknown): unknown {
  if (owner === null || owner === undefined) return undefined;
  const name = typeof key === "number" ? key : String(key);
  if (typeof owner !== "object" && typeof owner !== "string") return undefined;
  return Object.hasOwn(Object(owner), name) ? Reflect.get(Object(owner), name) : undefined;
}
