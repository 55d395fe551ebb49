/** Images of the calls whose values a run returns. */

import assert from "node:assert/strict";
import { type JsonValue, LARGE, parseLarge } from "#base";
import { createImages } from "../../../../runtime/run/calls/images.ts";
import { countTurns } from "../../../support/turns.ts";

const picture = (data: string) => ({ type: "image", data, mimeType: "image/png" });

/** Images of one call for each value, `0`, `1` and so on. */
function imagesOf(...values: JsonValue[]) {
  const images = createImages();
  for (const [at, value] of values.entries()) {
    images.add({ value, content: [{ type: "text", text: "a" }, picture(String(at))] });
  }
  return images;
}

async function findImages(images: ReturnType<typeof createImages>, value: JsonValue) {
  return (await images.of(value)).map(({ data }) => data);
}

Deno.test("a value and its parts have the images of their calls", async (t) => {
  const cases: [name: string, values: JsonValue[], returned: JsonValue, data: string[]][] = [
    ["the value itself", [{ a: [1, -0, "ß"] }], { a: [1, 0, "ß"] }, ["0"]],
    ["a text", ["shot"], "shot", ["0"]],
    ["null", [null], null, ["0"]],
    ["parts", [{ a: 1 }, "two", [3]], { x: [3], y: { z: [{ a: 1 }] } }, ["0", "2"]],
    ["of equal ones the last", ["same", "same"], ["same"], ["1"]],
    ["each of equal ones", ["same", "same"], ["same", "same"], ["0", "1"]],
    ["a text that looks like a list", ["[1]", [1]], [[1]], ["1"]],
    ["a list that looks like a text", [["a"], '["a"]'], { a: '["a"]' }, ["1"]],
    ["another value", [{ a: 1 }], { a: 2 }, []],
    ["too deep", ["deep"], [[[[["deep"]]]]], []],
    ["behind a thousand parts", ["late"], [...Array(1_500).fill(0), "late"], []],
    ["the last twenty calls", Array.from({ length: 22 }, (_, at) => at), [0, 1, 2, 3], ["2", "3"]],
  ];
  for (const [name, values, returned, data] of cases) {
    await t.step(name, async () => {
      assert.deepEqual(await findImages(imagesOf(...values), returned), data);
    });
  }
});

Deno.test("a part of a large value has its images", async () => {
  const part = Array.from({ length: 20_000 }, (_, at) => at);
  const text = JSON.stringify([part, "x".repeat(LARGE), part.toReversed()]);
  assert.deepEqual(await findImages(imagesOf(part), await parseLarge(text) as JsonValue), ["0"]);
});

Deno.test("large values are not kept", async () => {
  const list = Array.from({ length: LARGE }, () => [0.5]);
  const object = Object.fromEntries(Array.from({ length: LARGE / 8 }, (_, at) => [`k${at}`, 0]));
  const images = imagesOf(list, object, { list }, "small");
  assert.deepEqual(await findImages(images, [list, object, { list }, "small"]), ["3"]);
});

Deno.test("the characters of values and of all of an image count", async () => {
  const text = (sign: string) => sign.repeat(6 * 2 ** 20);
  const texts = [text("a"), text("b"), text("c")];
  assert.deepEqual(await findImages(imagesOf(...texts), texts), ["1", "2"]);
  const images = createImages();
  const more = Array.from({ length: 1_000_000 }, () => []);
  images.add({ value: "a", content: [{ ...picture("0"), more }, picture("1")] });
  images.add({ value: "b", content: [{ ...picture("2"), data: more }] });
  assert.deepEqual(await findImages(images, ["a", "b"]), ["1"]);
});

Deno.test("a value is compared in turns", async () => {
  const part = (last: number) => ({ list: Array.from({ length: 60_000 }, () => []), last });
  const images = imagesOf(...Array.from({ length: 20 }, (_, at) => part(at)));
  const { result, turns } = await countTurns(() =>
    images.of(Array.from({ length: 20 }, () => part(999)))
  );
  assert.deepEqual(result, []);
  assert.notEqual(turns, 0);
});
