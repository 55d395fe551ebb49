/** Pictures that tools sent beside their values: who returns such a value, returns its pictures. */

import { isDeepStrictEqual } from "node:util";
import type { CallResult, Content } from "#packs";
import { isObject, type JsonValue } from "#sandbox";

export interface Pictures {
  /** What one call answered. */
  add(result: CallResult): void;
  /** The pictures of the calls whose values are this one, or stand in it. */
  of(value: JsonValue): readonly Content[];
}

interface Kept {
  readonly value: JsonValue;
  readonly pictures: readonly Content[];
  readonly characters: number;
}

const MOST_CALLS = 20;
const MOST_CHARACTERS = 16 * 1024 * 1024;
const MOST_NODES = 1_000;
const MAX_DEPTH = 4;

/** Keeps the pictures of one run's last calls. */
export function createPictures(): Pictures {
  const kept: Kept[] = [];
  let characters = 0;

  return {
    add({ value, content }) {
      // Blocks that are the value itself go with it.
      if (!content || value === content || value === content[0]) return;
      const pictures = content.filter(({ type }) => type === "image");
      if (pictures.length === 0) return;
      const size = pictures.reduce((sum, { data }) => sum + String(data).length, 0);
      kept.push({ value, pictures, characters: size });
      characters += size;
      while (kept.length > MOST_CALLS || characters > MOST_CHARACTERS) {
        characters -= kept.shift()?.characters ?? 0;
      }
    },
    of(value) {
      if (kept.length === 0) return [];
      const found = new Set<Kept>();
      for (const node of nodes(value)) {
        // Each value that is returned has the pictures of one call, of equal ones the last.
        const match = kept.findLast((each) =>
          !found.has(each) && isDeepStrictEqual(each.value, node)
        );
        if (match) found.add(match);
        if (found.size === kept.length) break;
      }
      return kept.filter((each) => found.has(each)).flatMap(({ pictures }) => pictures);
    },
  };
}

/** A value and what stands in it, outer ones first. */
function* nodes(value: JsonValue): Generator<JsonValue> {
  let level: JsonValue[] = [value];
  let left = MOST_NODES;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth++) {
    const inner: JsonValue[] = [];
    for (const node of level) {
      if (left-- === 0) return;
      yield node;
      const parts = Array.isArray(node) ? node : isObject(node) ? Object.values(node) : [];
      for (const part of parts.slice(0, MOST_NODES)) inner.push(part as JsonValue);
    }
    level = inner;
  }
}
