/** The gateway's own MCP backend: the tools `run` and `look`, the servers that `direct` names, stored results. */

import { type JsonObject, Listeners, type Log } from "#base";
import {
  camelCase,
  type Pack,
  purposeOf,
  type Registry,
  type ServerPack,
  spelled,
  standsBackNow,
} from "#packs";
import { type Inbox, OT } from "#runtime";
import { buildInstructions, LOOK_TOOL, ownTools, RUN_TOOL } from "./run/definition.ts";
import { createSuspendedWork } from "./client/suspended_work.ts";
import { createOffer, type OfferSettings } from "./direct/offer.ts";
import type { ReadsDeps } from "./direct/reads.ts";
import {
  isResultUri,
  listResults,
  readResult,
  RESULT_TEMPLATE,
  type ResultSource,
} from "./results.ts";
import { callRun, type RunCommand } from "./run/run_tool.ts";
import type { TrustSource } from "./client/trust.ts";
import {
  INVALID_PARAMS,
  type McpBackend,
  type McpChange,
  McpError,
  type McpExchange,
  type McpRequest,
  METHOD_NOT_FOUND,
} from "./types.ts";

export interface McpBackendDeps {
  readonly version: string;
  readonly registry: Registry;
  readonly servers: readonly ServerPack[];
  /** `direct` of the config. */
  readonly direct: readonly string[];
  readonly run: RunCommand;
  readonly inbox: Inbox;
  /** Receives each read of a resource or a prompt that is refused; never throws. */
  readonly onRefused?: ReadsDeps["onRefused"];
  /** Working folder of runs. */
  readonly cwd: string;
  /** Read each time, since the configuration can be reloaded. */
  readonly prompts?: () => Prompts;
  readonly results?: ResultSource;
  /** False without the tool `look`. */
  readonly look?: () => boolean;
  /** Missing where the client cannot grant trust in the project. */
  readonly trust?: TrustSource;
  /** Time limit for the answer to a question to the client; 120 s. Read each time, too. */
  readonly askTimeoutMs?: () => number;
  readonly newId: () => string;
  readonly log: Log;
}

export interface GatewayBackend extends McpBackend, AsyncDisposable {
  /** Replaces the servers offered beside `run`; clients are notified that their lists may have changed. */
  update(settings: OfferSettings): void;
  /** Notifies clients that the list of tools has changed. */
  toolsChanged(): void;
}

const ASK_TIMEOUT_MS = 120_000;
const NO_RESULTS: ResultSource = {
  list: () => Promise.resolve([]),
  read: () => Promise.resolve(undefined),
};

/** Builds the backend of one gateway. */
export function createMcpBackend(deps: McpBackendDeps): GatewayBackend {
  const { registry, log, results = NO_RESULTS, look: hasLook = () => true } = deps;
  const { askTimeoutMs = () => ASK_TIMEOUT_MS } = deps;
  const holder = createSuspendedWork({ newId: deps.newId, timeoutMs: askTimeoutMs });
  const offer = createOffer(deps, {
    registry,
    holder,
    inbox: deps.inbox,
    log,
    onRefused: deps.onRefused,
  });
  const changes = new Listeners<McpChange>();
  offer.onChange((change) => changes.tell(change));
  let { direct } = deps;

  async function callTool(params: JsonObject, exchange: McpExchange): Promise<JsonObject> {
    const name = String(params.name);
    const isLook = name === LOOK_TOOL && hasLook();
    if (name === RUN_TOOL || isLook) {
      const { arguments: args } = params;
      return await callRun({ ...deps, holder }, { args, isLook }, exchange);
    }
    const result = await offer.tools.call(name, params, exchange);
    if (result) return result;
    throw new McpError(
      INVALID_PARAMS,
      `Cannot call ${JSON.stringify(name)}: no such tool: send code that calls it to "${RUN_TOOL}"`,
    );
  }

  async function readResource(params: JsonObject, exchange: McpExchange): Promise<JsonObject> {
    const uri = String(params.uri);
    if (isResultUri(uri)) return await readResult(results, uri);
    return await offer.passthrough.readResource(params, exchange);
  }

  async function handle(
    { method, params }: McpRequest,
    exchange: McpExchange,
  ): Promise<JsonObject> {
    const { tools, passthrough } = offer;
    switch (method) {
      case "tools/list":
        return { tools: [...ownTools({ look: hasLook() }), ...await tools.list()] };
      case "tools/call":
        return await callTool(params, exchange);
      case "resources/list": {
        const own = await listResults(results);
        return { resources: [...own, ...await passthrough.list("resources", exchange)] };
      }
      case "resources/templates/list": {
        const others = await passthrough.list("resourceTemplates", exchange);
        return { resourceTemplates: [RESULT_TEMPLATE, ...others] };
      }
      case "resources/read":
        return await readResource(params, exchange);
      case "prompts/list":
        return { prompts: await passthrough.list("prompts", exchange) };
      case "prompts/get":
        return await passthrough.getPrompt(params, exchange);
      case "completion/complete":
        return await passthrough.complete(params, exchange);
      case "resources/subscribe":
      case "resources/unsubscribe":
        throw new McpError(METHOD_NOT_FOUND, "A connection keeps its own subscriptions");
      default:
        throw method satisfies never;
    }
  }

  return {
    handle,
    about: () => ({
      version: deps.version,
      direct: direct.length > 0,
      look: hasLook(),
      askTimeoutMs: askTimeoutMs(),
      instructions: instructionsOf(registry, deps.prompts?.()),
    }),
    update(settings) {
      direct = settings.direct;
      offer.update(settings);
    },
    toolsChanged: () => changes.tell({ kind: "tools" }),
    withdrawal: (id) => holder.withdrawal(id),
    watch: (uris) => offer.watch(uris),
    onChange: changes.add,
    async [Symbol.asyncDispose]() {
      changes.clear();
      await offer[Symbol.asyncDispose]();
    },
  };
}

/** Texts of the configuration for agents. */
export interface Prompts {
  /** Text after the instructions. */
  readonly instructions?: string;
  /** Instructions of packs, by name. */
  readonly packs: Readonly<Record<string, string>>;
}

/** Builds the instructions, with the names and purposes of the packs of the registry. */
export function instructionsOf(registry: Registry, prompts: Prompts = { packs: {} }): string {
  const all = registry.packs();
  const packs = all.filter((pack) => isListed(pack, registry) && !standsBackNow(pack, all));
  return buildInstructions({
    packs: packs.map((pack) => {
      const { name, description = "" } = pack;
      const own = Object.hasOwn(prompts.packs, name) ? prompts.packs[name] : undefined;
      const text = own ?? `${description} ${pack.instructions?.() ?? ""}`;
      const purpose = purposeOf({ name, text, tools: pack.tools() });
      return { name: spelled(name, camelCase(name)), purpose };
    }),
    extra: prompts.instructions,
  });
}

/** True for a pack to name in the instructions; their text itself explains `ot`. */
function isListed(pack: Pack, registry: Registry): boolean {
  const { state } = pack.status();
  if (registry.policy().decidePack(pack.name).level === "blocked") return false;
  return pack.name !== OT && state !== "disabled" && state !== "untrusted";
}
