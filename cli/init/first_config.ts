/** The first configuration of a project: an introduction, and the servers that were taken over. */

import { dump } from "js-yaml";

/** Text of a new `onetool.yaml`. */
export async function firstConfig(servers: object): Promise<string> {
  const intro = await Deno.readTextFile(new URL("./template/onetool.yaml", import.meta.url));
  if (Object.keys(servers).length === 0) return intro;
  return `${intro}\n${dump({ servers }, { lineWidth: 100, noRefs: true })}`;
}
