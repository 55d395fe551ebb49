/** Images in the value of a run: sent as image blocks, and removed from the text. */

import { isObject, type JsonObject, type JsonValue } from "#base";
const MAX_IMAGES = 20;
const MAX_DEPTH = 4;
/** Characters of the shortest data that a note replaces: no word of another text is as long. */
const MIN_REPLACED = 64;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** A run of the letters of Base64: a search for each image would take the product of the lengths. */
const RUN = /[A-Za-z0-9+/]+={0,2}/g;
const TYPE = /^image\/[a-z0-9.+-]+$/i;

interface Image {
  readonly data: string;
  readonly mimeType: string;
}

/** Extracts the image blocks of a value; in the text a note replaces the data of each image. */
export function extractImages(
  value: JsonValue | undefined,
  text: string,
): { readonly blocks: readonly JsonObject[]; readonly text: string } {
  const images: Image[] = [];
  collect(value, MAX_DEPTH, images);
  const notes = new Map(
    images.filter(({ data }) => data.length >= MIN_REPLACED).map((
      { data, mimeType },
    ) => [data, `(${mimeType}, ${data.length} characters, shown as a picture)`]),
  );
  return {
    blocks: images.map((image) => ({ type: "image", ...image })),
    text: notes.size === 0 ? text : text.replaceAll(RUN, (run) => notes.get(run) ?? run),
  };
}

function collect(value: unknown, depth: number, images: Image[]): void {
  if (depth === 0 || images.length >= MAX_IMAGES) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_IMAGES)) collect(item, depth - 1, images);
    return;
  }
  if (!isObject(value)) return;
  const { type, data, mimeType } = value;
  if (type !== "image") {
    for (const part of Object.values(value)) collect(part, depth - 1, images);
    return;
  }
  const isImage = typeof data === "string" && typeof mimeType === "string" &&
    TYPE.test(mimeType) && data.length % 4 === 0 && BASE64.test(data);
  if (isImage && images.length < MAX_IMAGES) images.push({ data, mimeType });
}
