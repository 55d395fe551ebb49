/** `toolscript ui`: opens the page of the project's gateway in the browser. */

import { isObject } from "#base";
import { type Client, createClient } from "../client.ts";
import { readConfig } from "../config.ts";
import { type Context, gatewayOption } from "../context.ts";
import { openShared } from "../gateway/open_shared.ts";
import { connectTo } from "../gateway_connection.ts";
import { browserOptions, openBrowser } from "./open_browser.ts";

/** Opens the page, or prints its address with a code that is valid once and for 60 seconds. */
export async function ui(context: Context): Promise<number> {
  const { io, print, options } = context;
  const client = await gatewayOf(context);
  const address = `${client.url}/?code=${await codeOf(client)}`;
  const prints = options["no-browser"] === true || options.json === true;
  if (!prints && await openBrowser(address, await browserOptions(io))) {
    await print.say(`Opened ${client.url}/ in the browser`);
    return 0;
  }
  if (!prints) {
    await print.warn("Cannot open a browser: open this address within 60 s (or set BROWSER)");
  }
  if (options.json === true) await print.json({ url: address });
  else await print.data(address);
  return 0;
}

/** The named gateway, else the shared one of the project, which is started where none runs. */
async function gatewayOf(context: Context): Promise<Client> {
  const { io } = context;
  const named = gatewayOption(context);
  if (named !== undefined) return (await connectTo(context, named)).client;
  const shared = await openShared(context, await readConfig(context));
  return createClient({ ...shared, fetch: io.fetch });
}

async function codeOf(client: Client): Promise<string> {
  const answer: unknown = await (await client.post("/code", {})).json();
  return encodeURIComponent(isObject(answer) ? String(answer.code) : "");
}
