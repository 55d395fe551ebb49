/** Code as a user runs it who may not do everything, also where the tests run as root. */

import { fileURLToPath } from "node:url";

const CONFIG = fileURLToPath(new URL("../../deno.json", import.meta.url));

/** True where rights of files count, and root can give its own up. */
export const HAS_RIGHTS = Deno.build.os === "linux" || Deno.uid() !== 0;

/** Runs code in a process of its own, that of root without the right to pass over those of files. */
export async function withoutRights(
  code: string,
): Promise<{ readonly stdout: string; readonly stderr: string }> {
  const rights = "--bounding-set=-dac_override,-dac_read_search";
  const lead = Deno.uid() === 0 ? ["setpriv", rights] : [];
  const words = [...lead, Deno.execPath(), "eval", "--no-check", `--config=${CONFIG}`, code];
  const [program = "", ...args] = words;
  const { stdout, stderr } = await new Deno.Command(program, { args }).output();
  const decoder = new TextDecoder();
  return { stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}
