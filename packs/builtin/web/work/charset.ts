/** From bytes to text, by what the server, the page or the bytes themselves say (HTML §13.2.3). */

/** How far into a page its own word for its charset is looked for. */
const PRESCAN = 4096;

/** The text; what is no text of that charset becomes U+FFFD. */
export function decode(bytes: Uint8Array, contentType: string): string {
  const labels = [bomOf(bytes), labelIn(contentType), declared(bytes)];
  for (const label of labels) {
    const decoder = decoderOf(label);
    if (decoder) return decoder.decode(bytes);
  }
  return new TextDecoder().decode(bytes);
}

/** Whether no text of any charset is in it. */
export function isBinary(bytes: Uint8Array): boolean {
  return bomOf(bytes) === undefined && bytes.subarray(0, 8192).includes(0);
}

function bomOf([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xff && b === 0xfe ? "utf-16le" : undefined;
}

function labelIn(text: string): string | undefined {
  return /charset\s*=\s*["']?(?<label>[\w:.-]+)/i.exec(text)?.groups?.label;
}

function declared(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, PRESCAN));
  const xml = /^\s*<\?xml[^>]*encoding\s*=\s*["'](?<label>[\w.-]+)/i.exec(start)?.groups?.label;
  if (xml !== undefined) return xml;
  const meta = start.match(/<meta\b[^>]*>/gi)?.map(labelIn).find((label) => label !== undefined);
  // A page that can say so in ASCII is no UTF-16.
  return meta?.toLowerCase().startsWith("utf-16") ? "utf-8" : meta;
}

function decoderOf(label: string | undefined): TextDecoder | undefined {
  if (label === undefined) return undefined;
  try {
    return new TextDecoder(label);
  } catch {
    // A label that nobody knows says nothing.
    return undefined;
  }
}
