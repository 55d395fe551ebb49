/** Reads a request's body up to a limit. */

/** The body as text; undefined when it has more than `limit` bytes. */
export async function readBounded(request: Request, limit: number): Promise<string | undefined> {
  const announced = request.headers.get("content-length");
  if (announced !== null && Number(announced) <= limit) return await request.text();
  if (announced !== null || request.body === null) return announced === null ? "" : undefined;
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of request.body) {
    size += chunk.length;
    if (size > limit) return undefined;
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
