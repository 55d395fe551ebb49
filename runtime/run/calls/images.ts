/** Images that tools sent beside their values: a run that returns such a value returns its images. */

import { createTurns, isObject, type JsonValue, keysOf, LARGE, sizeAsJson } from "#base";
import type { CallResult, Content } from "#packs";

export interface Images {
  /** Records the result of one call. */
  add(result: CallResult): void;
  /** Finds the images of the calls whose values are this one or a part of it. */
  of(value: JsonValue): Promise<readonly Content[]>;
}

/** A value as it is compared: a text as it is, anything else as JSON. */
interface Mark {
  readonly isText: boolean;
  readonly text: string;
}

interface ImageResult extends Mark {
  readonly images: readonly Content[];
  readonly characters: number;
}

const MOST_CALLS = 20;
/** Characters of all values and images. */
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Characters of an image beside its data. */
const MOST_BESIDE = 10_000;
const MOST_NODES = 1_000;
const MAX_DEPTH = 4;

/** Keeps the images of one run's last calls, and the text of their values; of large values none. */
export function createImages(): Images {
  const results: ImageResult[] = [];
  let characters = 0;

  return {
    add({ value, content }) {
      // Blocks that are the value itself go with it.
      if (!content || value === content || value === content[0]) return;
      const images = content.filter((block) => block.type === "image" && sizeOf(block) < Infinity);
      const mark = images.length > 0 ? markOf(value) : undefined;
      if (!mark) return;
      const size = images.reduce((sum, image) => sum + sizeOf(image), mark.text.length);
      results.push({ ...mark, images, characters: size });
      characters += size;
      while (results.length > MOST_CALLS || characters > MOST_CHARACTERS) {
        characters -= results.shift()?.characters ?? 0;
      }
    },
    async of(value) {
      const turn = createTurns();
      const matches = new Set<ImageResult>();
      for (const node of nodes(value)) {
        if (matches.size === results.length) break;
        await turn();
        const mark = markOf(node);
        // Each returned value has the images of one call; of calls with equal values, the last one.
        const match = results.findLast((each) =>
          !matches.has(each) && each.isText === mark?.isText && each.text === mark.text
        );
        if (match) matches.add(match);
      }
      return results.filter((each) => matches.has(each)).flatMap(({ images }) => images);
    },
  };
}

/** Characters of an image; infinite where it holds much beside its data. */
function sizeOf(image: Content): number {
  const most = (typeof image.data === "string" ? image.data.length : 0) + MOST_BESIDE;
  const size = sizeAsJson(image, most);
  return size > most ? Infinity : size;
}

/** The mark of a value that is a text, or not large. */
function markOf(value: JsonValue): Mark | undefined {
  if (typeof value === "string") return { isText: true, text: value };
  if (sizeAsJson(value, LARGE) > LARGE) return undefined;
  return { isText: false, text: JSON.stringify(value) };
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
      if (inner.length < MOST_NODES) inner.push(...partsOf(node));
    }
    level = inner;
  }
}

/** The first parts of a list or an object. */
function partsOf(node: JsonValue): JsonValue[] {
  if (Array.isArray(node)) return node.slice(0, MOST_NODES);
  if (!isObject(node)) return [];
  return keysOf(node).slice(0, MOST_NODES).map((key) => node[key] as JsonValue);
}
