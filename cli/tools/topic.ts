/** `toolscript help TOPIC`: the value of `ot.help`, for a person or as JSON. */

import { isObject } from "#base";
import { connect } from "../connect.ts";
import type { Context } from "../context.ts";
import { fetchTools } from "./ready.ts";
import { topicText } from "./topic_text.ts";

/** Prints help on a topic; exit code 3 without a match. */
export async function topic(context: Context, query: string): Promise<number> {
  const { options, print, io } = context;
  await using connection = await connect(context);
  const { client } = connection;
  await fetchTools(client, print);
  const response = await client.request("/tools/ot__help", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const answer: unknown = await response.json();
  const value = isObject(answer) ? answer.result : undefined;
  const hasTopic = isObject(value);
  if (options.json === true) await print.json(value);
  else if (hasTopic) await print.data(topicText(value, io.stdout.columns));
  else await print.say(`Nothing is like ${JSON.stringify(query)}: browse with toolscript list`);
  return hasTopic ? 0 : 3;
}
