/** `toolscript help TOPIC`: the text of `ot.help`. */

import { connect } from "../gateway_connection.ts";
import type { Context } from "../context.ts";
import { fetchTools } from "./ready.ts";

/** Prints help on a topic; exit code 3 without a match. */
export async function topic(context: Context, query: string): Promise<number> {
  const { options, print } = context;
  await using connection = await connect(context);
  const { client } = connection;
  await fetchTools(client, print);

  const names = query === "" ? undefined : await client.callOt("help", { query, info: "list" });
  const hasTopic = !Array.isArray(names) || names.length > 0;
  const text = await client.callOt("help", { query, info: "min" });
  if (options.json === true) await print.json(text);
  else if (hasTopic) await print.data(String(text));
  else await print.say(`Nothing is like ${JSON.stringify(query)}: browse with toolscript list`);
  return hasTopic ? 0 : 3;
}
