/** Runs what the reader serves in a real Deno process, fetched or handed over as the sandbox does it. */

import type { ReadyProgram } from "../../../runtime/program/mod.ts";

export interface Ran {
  readonly value?: unknown;
  /** "nothing" when the marker came back, "undefined" for an explicit one. */
  readonly kind: "value" | "nothing" | "undefined" | "thrown";
  readonly message?: string;
  /** The author's place of the first frame that lies in the program. */
  readonly line?: number;
  readonly column?: number;
}

const DRIVER = `
const evaluate = eval;
const [origin, ids] = JSON.parse(Deno.args[0]);
for (const [id, entry, text] of ids) {
  const nothing = Symbol();
  let out;
  try {
    const address = origin + "/" + id + "/" + entry;
    const program = text === undefined
      ? (await import(address)).default
      : evaluate(text + "\\n//# sourceURL=" + encodeURI(address))(await import("toolscript"));
    const value = await program(nothing);
    out = value === nothing ? { kind: "nothing" } : value === undefined
      ? { kind: "undefined" } : { kind: "value", value };
  } catch (error) {
    out = { kind: "thrown", message: String(error?.message ?? error), stack: String(error?.stack) };
  }
  console.log("\\u0001" + JSON.stringify(out));
}
`;

const TOOLS = "export const tools = {echo: {say: (x) => Promise.resolve(x)}};";

/** Runs each program in turn, all in one process. */
export async function runServed(programs: readonly ReadyProgram[]): Promise<Ran[]> {
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const path = decodeURIComponent(new URL(request.url).pathname.slice(1));
    if (path === "tools.js") return javascript(TOOLS);
    const [id = "", ...rest] = path.split("/");
    const program = programs[Number(id)]?.program;
    const text = program?.modules.get(rest.join("/"));
    if (text === undefined) return new Response("", { status: 404 });
    return program?.transpile?.has(rest.join("/"))
      ? new Response(text, { headers: { "content-type": "application/typescript" } })
      : javascript(text);
  });
  const origin = `http://127.0.0.1:${server.addr.port}`;
  const folder = await Deno.makeTempDir();
  try {
    const map = `${folder}/import_map.json`;
    await Deno.writeTextFile(
      map,
      JSON.stringify({ imports: { toolscript: `${origin}/tools.js` } }),
    );
    await Deno.writeTextFile(`${folder}/driver.js`, DRIVER);
    const ids = programs.map(({ program: { entry, form, modules } }, id) => {
      return form === "function" ? [id, entry, modules.get(entry)] : [id, entry];
    });
    const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        "run",
        "--quiet",
        "--no-config",
        "--no-lock",
        "--no-prompt",
        "--allow-net=127.0.0.1",
        "--allow-import=127.0.0.1",
        `--import-map=${map}`,
        `${folder}/driver.js`,
        JSON.stringify([origin, ids]),
      ],
      env: { DENO_DIR: folder, NO_COLOR: "1" },
    }).output();
    const lines = new TextDecoder().decode(stdout).split("\n").filter((l) =>
      l.startsWith("\u0001")
    );
    if (lines.length !== programs.length) throw new Error(new TextDecoder().decode(stderr));
    return lines.map((line, id) => ran(JSON.parse(line.slice(1)), programs[id], origin));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function ran(
  out: Ran & { stack?: string },
  program: ReadyProgram | undefined,
  origin: string,
): Ran {
  const { stack, ...rest } = out;
  const [, file, line, column] =
    stack?.match(new RegExp(`${origin}/\\d+/([^:),]+)(?:, <anonymous>)?:(\\d+):(\\d+)`)) ?? [];
  if (!program || file === undefined) return rest;
  const place = program.locate({ file, line: Number(line), column: Number(column) });
  return { ...rest, line: place.line, column: place.column };
}

function javascript(text: string): Response {
  return new Response(text, { headers: { "content-type": "application/javascript" } });
}
