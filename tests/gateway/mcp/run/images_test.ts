import assert from "node:assert/strict";
import { extractImages } from "../../../../gateway/mcp/run/images.ts";

const data = "iVBORw0KGgoAAAAN".repeat(4);
const picture = { type: "image", data, mimeType: "image/png" };

Deno.test("extractImages() finds images in results of tools only", async (t) => {
  const cases: readonly [name: string, value: unknown, count: number][] = [
    ["a picture", picture, 1],
    ["several", [picture, picture], 2],
    ["the content of a result", { content: [{ type: "text", text: "x" }, picture] }, 1],
    ["under names of the program's own", { before: picture, after: [picture] }, 2],
    ["no value", undefined, 0],
    ["text", data, 0],
    ["another type", { ...picture, mimeType: "text/html" }, 0],
    ["no base64", { ...picture, data: '"><script>' }, 0],
    ["no data", { type: "image", mimeType: "image/png" }, 0],
    ["more than a client can want", Array.from({ length: 100 }, () => picture), 20],
    ["deep inside", { content: { content: { content: { content: picture } } } }, 0],
  ];
  for (const [name, value, count] of cases) {
    await t.step(name, () => {
      const { blocks } = extractImages(value as never, "");
      assert.equal(blocks.length, count);
      assert.ok(blocks.every((block) => block.type === "image"));
    });
  }
});

Deno.test("extractImages() removes the data of an image from the text", () => {
  const { text } = extractImages(picture, JSON.stringify(picture));
  assert.ok(!text.includes(data));
  assert.match(text, /\(image\/png, 64 characters, shown as a picture\)/);
});

Deno.test("extractImages() leaves words that a server calls an image", () => {
  const { text } = extractImages({ ...picture, data: "approved" }, "approved by Ada");
  assert.equal(text, "approved by Ada");
});

Deno.test("extractImages() replaces whole runs of Base64, however alike text and data are", () => {
  const start = ("b" + "a".repeat(999)).repeat(2_000) + "c" + "a".repeat(2_000_000);
  const value = { ...picture, data: "b" + "a".repeat(99_999) };
  const { text } = extractImages(value, `${start} x${value.data}\n${value.data}`);
  assert.ok(text === `${start} x${value.data}\n(image/png, 100000 characters, shown as a picture)`);
});
