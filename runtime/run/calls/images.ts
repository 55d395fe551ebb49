/** Images that tools sent beside their values: a run that returns such a value returns its images. */

import { isDeepStrictEqual } from "node:util";
import { isObject, type JsonValue } from "#base";
import type { CallResult, Content } from "#packs";

export interface Images {
  /** Records the result of one call. */
  add(result: CallResult): void;
  /** Finds the images of the calls whose values are this one or a part of it. */
  of(value: JsonValue): readonly Content[];
}

interface ImageResult {
  readonly value: JsonValue;
  readonly images: readonly Content[];
  readonly characters: number;
}

const MOST_CALLS = 20;
const MOST_CHARACTERS = 16 * 1024 * 1024;
const MOST_NODES = 1_000;
const MAX_DEPTH = 4;

/** Keeps the images of one run's last calls. */
export function createImages(): Images {
  const results: ImageResult[] = [];
  let characters = 0;

  return {
    add({ value, content }) {
      // Blocks that are the value itself go with it.
      if (!content || value === content || value === content[0]) return;
      const images = content.filter(({ type }) => type === "image");
      if (images.length === 0) return;
      const size = images.reduce((sum, { data }) => sum + String(data).length, 0);
      results.push({ value, images, characters: size });
      characters += size;
      while (results.length > MOST_CALLS || characters > MOST_CHARACTERS) {
        characters -= results.shift()?.characters ?? 0;
      }
    },
    of(value) {
      if (results.length === 0) return [];
      const matches = new Set<ImageResult>();
      for (const node of nodes(value)) {
        // Each value that is returned has the images of one call, of equal ones the last.
        const match = results.findLast((each) =>
          !matches.has(each) && isDeepStrictEqual(each.value, node)
        );
        if (match) matches.add(match);
        if (matches.size === results.length) break;
      }
      return results.filter((each) => matches.has(each)).flatMap(({ images }) => images);
    },
  };
}

/** Generates a value and its parts, outer ones first. */
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
