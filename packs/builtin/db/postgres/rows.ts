/** Rows of PostgreSQL as objects, within the limits of a call. */

import { isLarge, type JsonObject, type JsonValue } from "#base";
import type { Rows } from "../engine.ts";
import { uniqueNames } from "../../kit/values.ts";
import type { Column, Reader } from "./values.ts";

/** Values as the server wrote them. */
export type Texts = readonly (string | null)[];

/** A row by the names of its columns. */
export type TextRow = Readonly<Record<string, string | null>>;

/** Rows as far as they fit. */
export interface TextRows {
  readonly columns: readonly Column[];
  readonly rows: readonly Texts[];
  readonly isCut: boolean;
  /** Rows that the statement returned or changed. */
  readonly count: number;
}

export interface Room {
  readonly limit: number;
  readonly maxBytes: number;
}

/** Converts the rows that fit; `bytes` is their size as JSON. Throws `PackError`. */
export async function readRows(
  { columns, rows, isCut }: TextRows,
  { limit, maxBytes, read }: Room & { readonly read: Reader },
): Promise<Rows & { readonly bytes: number }> {
  const names = uniqueNames(columns.map(({ name }) => name));
  // Between the brackets each name has a comma; in a row it has a colon, too.
  const nameBytes = JSON.stringify(names).length + names.length;
  const objects: JsonObject[] = [];
  let bytes = 0;
  for (const texts of rows) {
    if (objects.length === limit) return { columns: names, rows: objects, has_more: true, bytes };
    const fields: [string, JsonValue][] = [];
    let rowBytes = nameBytes;
    for (const [at, column] of columns.entries()) {
      const text = texts[at] ?? null;
      const value = text === null ? null : await read(text, column);
      rowBytes += isLarge(value) ? text?.length ?? 0 : JSON.stringify(value).length;
      fields.push([names[at] ?? "", value]);
    }
    if (bytes + rowBytes > maxBytes) {
      return { columns: names, rows: objects, has_more: true, bytes };
    }
    bytes += rowBytes;
    objects.push(Object.fromEntries(fields));
  }
  return { columns: names, rows: objects, has_more: isCut, bytes };
}
