/** The one file that touches nunjucks. What a template may do is a list; nothing in it reaches
 * code, a prototype or a file. It may still take long: whoever takes one from an agent runs it
 * under a time limit. */

// @ts-types="./nunjucks.d.ts"
import nunjucks from "nunjucks";
import { isObject } from "#sandbox/json";

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

export interface TemplateParts {
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
    check(nunjucks.parser.parse(body, [], {}), parts.kind);
    const template = new nunjucks.Template(body, environment(parts.filters), parts.kind, true);
    return render(template, parts);
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

function render(template: nunjucks.CompiledTemplate, { lookup, put }: TemplateParts): string {
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

/** No loaders, no globals, nothing escaped by itself. */
function environment(filters: TemplateParts["filters"]): nunjucks.Environment {
  const made = new nunjucks.Environment([], { autoescape: false });
  made.globals = {};
  for (const [name, filter] of Object.entries(filters)) made.addFilter(name, filter);
  return made;
}

/** Throws for anything in a template that is not on the lists. */
function check(node: nunjucks.TemplateNode, kind: string): void {
  const { typename } = node;
  const refuse = (what: string) => {
    throw refused(node, what, kind);
  };
  if (!NODES.has(typename)) refuse(typename);
  if (typename === "Symbol" && !/^[A-Za-z_]\w*$/.test(String(node.value))) {
    refuse(`the name ${JSON.stringify(node.value)}`);
  }
  if (typename === "Set" && isObject(node.body)) refuse("a block that is set");
  if (typename === "Literal" && typeof node.value === "object" && node.value !== null) {
    refuse("a regular expression");
  }
  if (typename === "Filter") {
    const name = isObject(node.name) ? String(node.name.value) : "";
    if (!FILTERS.has(name)) refuse(`the filter "${name}"`);
  }
  for (const field of node.fields) {
    const part = node[field];
    for (const item of Array.isArray(part) ? part : [part]) if (isNode(item)) check(item, kind);
  }
}

function isNode(value: unknown): value is nunjucks.TemplateNode {
  return isObject(value) && typeof value.typename === "string";
}

function refused(node: nunjucks.TemplateNode, what: string, kind: string): TemplateError {
  const line = node.lineno + 1;
  return new TemplateError(`The template uses ${what} (line ${line}), which ${kind} do not have`);
}

/** Only what a value holds itself. */
function ownMember(owner: unknown, key: unknown): unknown {
  if (owner === null || owner === undefined) return undefined;
  const name = typeof key === "number" ? key : String(key);
  if (typeof owner !== "object" && typeof owner !== "string") return undefined;
  return Object.hasOwn(Object(owner), name) ? Reflect.get(Object(owner), name) : undefined;
}
