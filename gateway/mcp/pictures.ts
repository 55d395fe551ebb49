/** Images in the value of a run: sent as image blocks, and removed from the text. */

import { isObject, type JsonObject, type JsonValue } from "#sandbox";

const MAX_PICTURES = 20;
const MAX_DEPTH = 4;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
const TYPE = /^image\/[a-z0-9.+-]+$/i;

interface Picture {
  readonly data: string;
  readonly mimeType: string;
}

/** Extracts the image blocks of a value; in the text a note replaces the data of each image. */
export function extractPictures(
  value: JsonValue | undefined,
  text: string,
): { readonly blocks: readonly JsonObject[]; readonly text: string } {
  const pictures: Picture[] = [];
  collect(value, MAX_DEPTH, pictures);
  let rest = text;
  for (const { data, mimeType } of pictures) {
    rest = rest.replaceAll(data, `(${mimeType}, ${data.length} characters, shown as a picture)`);
  }
  return { blocks: pictures.map((picture) => ({ type: "image", ...picture })), text: rest };
}

function collect(value: unknown, depth: number, pictures: Picture[]): void {
  if (depth === 0 || pictures.length >= MAX_PICTURES) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, MAX_PICTURES)) collect(item, depth - 1, pictures);
    return;
  }
  if (!isObject(value)) return;
  const { type, data, mimeType } = value;
  if (type !== "image") {
    for (const part of Object.values(value)) collect(part, depth - 1, pictures);
    return;
  }
  const isPicture = typeof data === "string" && typeof mimeType === "string" &&
    TYPE.test(mimeType) && data.length % 4 === 0 && BASE64.test(data);
  if (isPicture && pictures.length < MAX_PICTURES) pictures.push({ data, mimeType });
}
