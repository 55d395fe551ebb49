/** The one file that touches nunjucks: renders a snippet's body, with a mark in the place of every
 * value. What a template may do is a list; nothing in it reaches code. */

// @ts-types="./nunjucks.d.ts"
import nunjucks from "nunjucks";
import { isObject, type JsonValue } from "#sandbox/json";

/** The text of a template with marks, and the value that each mark stands for. */
export interface Rendered {
  readonly text: string;
  readonly values: readonly JsonValue[];
  /** Finds marks; the first group is the index of its value. */
  readonly mark: RegExp;
}

const MAX_VALUES = 10_000;
const MAX_TEXT = 1_000_000;

const NODES = new Set(
  ("Root NodeList Output TemplateData Symbol Literal LookupVal Filter If InlineIf For Set Array " +
    "Dict Pair Group Compare CompareOperand Or And Not In Is Add Sub Mul Div FloorDiv Mod Pow Neg " +
    "Pos Concat KeywordArgs Value").split(" "),
);
const FILTERS = new Set(
  ("abs batch capitalize center d default dump first float indent int join last length list lower " +
    "replace reverse round safe slice sort string sum title tojson trim truncate upper urlencode " +
    "wordcount").split(" "),
);

/** A template that cannot be used, or not with these values. */
export class TemplateError extends Error {
  override readonly name = "TemplateError";
}

/** The text of a value as JSON, where code is meant: the value itself. */
class JsonText {
  readonly value: JsonValue;
  constructor(value: JsonValue) {
    this.value = value;
  }
  toString(): string {
    return JSON.stringify(this.value);
  }
}

/** Renders a template; `values` holds every name that it may use. */
export function renderTemplate(
  body: string,
  values: Readonly<Record<string, JsonValue>>,
): Rendered {
  let prefix = "__value";
  while (body.includes(prefix)) prefix += "_";
  const found: JsonValue[] = [];
  const put = (value: unknown) => {
    if (found.push(plain(value)) > MAX_VALUES) {
      throw new TemplateError(`The template puts in more than ${MAX_VALUES} values`);
    }
    return `${prefix}${found.length - 1}_`;
  };
  const text = run(body, { lookup: (name) => lookup(name, values), put });
  if (text.length > MAX_TEXT) {
    throw new TemplateError(`The template gives more than ${MAX_TEXT} characters`);
  }
  return { text, values: found, mark: new RegExp(`${prefix}(\\d+)_`, "g") };
}

interface Parts {
  readonly lookup: (name: string) => JsonValue;
  readonly put: (value: unknown) => string;
}

function run(body: string, { lookup, put }: Parts): string {
  try {
    // The compiler joins names into code unescaped: it gets none but plain ones.
    check(nunjucks.parser.parse(body, [], {}));
    const template = new nunjucks.Template(body, environment(), "snippet", true);
    return render(template, { lookup, put });
  } catch (error) {
    if (error instanceof TemplateError || error instanceof RangeError) throw error;
    const message = error instanceof Error ? error.message : String(error);
    const [, own] = /(TemplateError: .*)$/s.exec(message) ?? [];
    throw new TemplateError(
      (own ?? message).replace(/^TemplateError: /, "").replaceAll(/\s+/g, " "),
    );
  }
}

function render(template: nunjucks.CompiledTemplate, { lookup, put }: Parts): string {
  const runtime = {
    ...nunjucks.runtime,
    suppressValue: put,
    memberLookup: ownMember,
    callWrap: () => {
      throw new TemplateError("The template calls a function");
    },
  };
  const context = { lookup, setVariable() {}, addExport() {} };
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

/** No loaders, no globals, nothing escaped: what is put in is a mark. */
function environment(): nunjucks.Environment {
  const made = new nunjucks.Environment([], { autoescape: false });
  made.globals = {};
  made.addFilter("safe", (value) => value);
  made.addFilter("dump", (value) => new JsonText(plain(value)));
  made.addFilter("tojson", (value) => new JsonText(plain(value)));
  return made;
}

/** Throws for anything in a template that is not on the lists. */
function check(node: nunjucks.TemplateNode): void {
  const { typename } = node;
  if (!NODES.has(typename)) throw refused(node, typename);
  if (typename === "Symbol" && !/^[A-Za-z_]\w*$/.test(String(node.value))) {
    throw refused(node, `the name ${JSON.stringify(node.value)}`);
  }
  if (typename === "Set" && isObject(node.body)) throw refused(node, "a block that is set");
  if (typename === "Literal" && typeof node.value === "object" && node.value !== null) {
    throw refused(node, "a regular expression");
  }
  if (typename === "Filter") {
    const name = isObject(node.name) ? String(node.name.value) : "";
    if (!FILTERS.has(name)) throw refused(node, `the filter "${name}"`);
  }
  for (const field of node.fields) {
    const part = node[field];
    for (const item of Array.isArray(part) ? part : [part]) if (isNode(item)) check(item);
  }
}

function isNode(value: unknown): value is nunjucks.TemplateNode {
  return isObject(value) && typeof value.typename === "string";
}

function refused(node: nunjucks.TemplateNode, what: string): TemplateError {
  return new TemplateError(
    `The template uses ${what} (line ${node.lineno + 1}), which snippets ` +
      "do not have",
  );
}

function lookup(name: string, values: Readonly<Record<string, JsonValue>>): JsonValue {
  if (Object.hasOwn(values, name)) return values[name] ?? null;
  throw new TemplateError(`The template uses "${name}", which is none of its parameters`);
}

/** Only what a value holds itself. */
function ownMember(owner: unknown, key: unknown): unknown {
  if (owner === null || owner === undefined) return undefined;
  const name = typeof key === "number" ? key : String(key);
  if (typeof owner !== "object" && typeof owner !== "string") return undefined;
  return Object.hasOwn(Object(owner), name) ? Reflect.get(Object(owner), name) : undefined;
}

/** A value as plain data. */
function plain(value: unknown): JsonValue {
  if (value instanceof JsonText) return value.value;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : null;
  if (typeof value !== "object" || value === null) return null;
  // Filters that keep text "safe" give an object of their own.
  if (value instanceof String || value instanceof nunjucks.runtime.SafeString) return String(value);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
