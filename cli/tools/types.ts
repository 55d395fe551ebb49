/** `toolscript types`: the typed module, as toolscripts import it. */

import { resolve } from "node:path";
import { connect } from "../connect.ts";
import { type Context, textOption } from "../context.ts";
import { CliError } from "../error.ts";
import { fetchTools } from "./ready.ts";

export async function types(context: Context): Promise<number> {
  const { io, print } = context;
  const filter = textOption(context, "filter");
  const out = textOption(context, "out");
  await using connection = await connect(context);
  const { client } = connection;
  await fetchTools(client, print);
  const query = filter === undefined ? "" : `?filter=${encodeURIComponent(filter)}`;
  const text = await (await client.request(`/runtime/tools.ts${query}`)).text();
  if (out === undefined) {
    await print.data(text);
    return 0;
  }
  try {
    await Deno.writeTextFile(resolve(io.cwd, out), text);
  } catch (cause) {
    throw new CliError(1, `Cannot write ${JSON.stringify(out)}: check the path`, { cause });
  }
  await print.say(`Written to ${out}`);
  return 0;
}
