/** Tools of the stub servers, written shortly: parameters as a table, a handler over the state. */

export type Row = Record<string, unknown>;
/** Tables by name; a stub server reads and writes the state of the whole task. */
export type State = Record<string, Row[]>;
export type Args = Record<string, unknown>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object" } & Record<string, unknown>;
  readonly outputSchema?: Record<string, unknown>;
  readonly annotations?: Record<string, unknown>;
  readonly call: (state: State, args: Args) => unknown;
}

export interface StubServer {
  readonly instructions: string;
  readonly tools: readonly Tool[];
}

/** A mistake of the caller; the server answers it as an error of the tool. */
export class Mistake extends Error {
  override readonly name = "Mistake";
}

type Parameter = Record<string, unknown>;
/** Parameters by name; a name with `?` at its end is optional. */
type Parameters = Readonly<Record<string, Parameter>>;

export const text = (description?: string): Parameter => ({ type: "string", description });
export const number = (description?: string): Parameter => ({ type: "number", description });
export const list = (items: Parameter): Parameter => ({ type: "array", items });
export const date = { type: "string", format: "date" };
export const choice = (...values: readonly string[]): Parameter => ({
  type: "string",
  enum: values,
});
export const limit = { type: "integer", minimum: 1, maximum: 25, default: 10 };

/** A tool that reads. */
export function read(
  name: string,
  description: string,
  { takes, gives, call }: {
    readonly takes: Parameters;
    /** Output schema of an object with these fields. */
    readonly gives?: Parameters;
    readonly call: Tool["call"];
  },
): Tool {
  const outputSchema = gives ? { outputSchema: { ...objectOf(gives) } } : {};
  const annotations = { readOnlyHint: true };
  return { name, description, inputSchema: objectOf(takes), ...outputSchema, annotations, call };
}

/** A tool that changes the state. */
export function write(
  name: string,
  description: string,
  { takes, call }: { readonly takes: Parameters; readonly call: Tool["call"] },
): Tool {
  return { name, description, inputSchema: objectOf(takes), call };
}

function objectOf(parameters: Parameters) {
  const entries = Object.entries(parameters);
  const properties = Object.fromEntries(
    entries.map(([name, type]) => [name.replace("?", ""), type]),
  );
  const required = entries.map(([name]) => name).filter((name) => !name.endsWith("?"));
  return { type: "object" as const, properties, required };
}

/** The row of a table with this id. Throws `Mistake`. */
export function find(state: State, table: string, id: unknown): Row {
  const row = state[table]?.find((row) => row.id === id);
  if (!row) throw new Mistake(`No ${table} with id ${JSON.stringify(id)}`);
  return row;
}

/** Rows of a table whose fields have these values; undefined matches all. */
export function where(state: State, table: string, fields: Row): Row[] {
  const pairs = Object.entries(fields).filter(([, value]) => value !== undefined);
  return (state[table] ?? []).filter((row) => pairs.every(([key, value]) => row[key] === value));
}

/** Rows of a table with the words of a query in one of these fields. */
export function matching(
  state: State,
  table: string,
  { query, fields }: { readonly query: unknown; readonly fields: readonly string[] },
): Row[] {
  const words = String(query ?? "").toLowerCase().split(/\s+/);
  return (state[table] ?? []).filter((row) => {
    const content = fields.map((field) => String(row[field])).join(" ").toLowerCase();
    return words.every((word) => content.includes(word));
  });
}

/** Adds a row with the next id of its table. */
export function add(
  state: State,
  table: string,
  { prefix, row }: { prefix: string; row: Row },
): Row {
  const rows = state[table] ??= [];
  const added = { id: `${prefix}${100 + rows.length}`, ...row };
  rows.push(added);
  return added;
}

/** One page of rows and their total. */
export function page(rows: readonly Row[], args: Args): { items: Row[]; total: number } {
  return { items: rows.slice(0, Number(args.limit ?? 10)), total: rows.length };
}
