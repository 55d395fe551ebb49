/** Parts that clients talk to: MCP and the HTTP routes. */

import { trustPrompt, trustQuestion } from "#cli";
import { createTrustAsker, type TrustAsker } from "#config";
import { acceptPins, readPinChanges } from "#packs";
import {
  type Attachments,
  createApp,
  createAttachments,
  createEntrance,
  createEvents,
  createGuard,
  createMcpBackend,
  createMcpHttp,
  createResultSource,
  createSessions,
  type Events,
  type GatewayBackend,
  inboxFeed,
  type McpHttp,
  type PinKeeper,
  serverFeed,
  type TrustKeeper,
} from "#gateway";
import { auditOfTrust } from "#runtime";
import { type Base, newSecret } from "./base.ts";
import type { Engine } from "./engine.ts";
import type { ConfiguredPacks } from "./packs.ts";
import { createSignIns } from "./sign_ins.ts";

export interface Front {
  readonly backend: GatewayBackend;
  readonly mcp: McpHttp;
  readonly events: Events;
  readonly attachments: Attachments;
}

export interface FrontParts extends Base, Engine {
  readonly packs: ConfiguredPacks;
}

/** Builds the front and lets the port answer with it. */
export function openFront(parts: FrontParts): Front {
  const { options, live, telemetry, listener, token, sandbox, log } = parts;
  const { host, maxBodyBytes: bodyBytes } = options.config.gateway;
  const now = () => performance.now();
  const started = now();
  const trust = trustAsker(parts);
  const backend = buildBackend(parts, trust);
  const mcp = createMcpHttp({ backend, newId: newSecret, now, maxBodyBytes: bodyBytes, log });
  const events = createEvents([
    parts.journal.onChange,
    serverFeed(parts.registry),
    inboxFeed(parts.inbox),
  ]);
  const attachments = createAttachments({
    auto: options.auto === true,
    lingerMs: () => live.current.gateway.lingerMs,
    isBusy: () => sandbox.status().running > 0,
  });
  const port = () => listener.port;
  const sessions = createSessions({ now: Date.now, newSecret, port });
  const guard = createGuard({ hosts: [host], port, token, sessions });
  const app = createApp({
    ...parts,
    version: options.version,
    guard,
    sessions,
    events,
    attachments,
    resultSource: createResultSource(parts.results),
    trust: trustKeeper(parts, trust),
    pins: pinKeeper(parts),
    signIns: createSignIns(parts),
    redact: telemetry.redactWhole,
    now: Date.now,
    mcp,
    project: options.config.project,
    askTimeoutMs: () => live.current.security.askTimeoutMs,
    limits: () => ({ bodyBytes, callBytes: live.current.sandbox.callBytes }),
    newId: newSecret,
    uptimeSeconds: () => Math.round((now() - started) / 1000),
  });
  listener.handle(createEntrance({ app, guard, sandbox, port }));
  return { backend, mcp, events, attachments };
}

function trustAsker({ options: { home, load }, live, statistics }: FrontParts): TrustAsker {
  return createTrustAsker({
    home,
    load,
    live,
    show: trustQuestion,
    prompt: trustPrompt,
    onAnswer(isTrusted, from) {
      for (const event of auditOfTrust(isTrusted, from)) statistics.audit(event);
    },
  });
}

function buildBackend(parts: FrontParts, trust: TrustAsker): GatewayBackend {
  const { options, live, registry, runner, statistics, inbox, results, packs, log } = parts;
  const { config } = options;
  return createMcpBackend({
    version: options.version,
    registry,
    servers: packs.servers(),
    direct: config.direct,
    results: createResultSource(results),
    look: () => live.current.mcp.look,
    prompts: () => live.current.prompts,
    run: runner.run,
    inbox,
    onRefused: (refusal) => statistics.audit({ kind: "refusal", ...refusal }),
    trust,
    cwd: config.project,
    askTimeoutMs: () => live.current.security.askTimeoutMs,
    newId: newSecret,
    log,
  });
}

/** The trust in the project, for the page; its files are read where something is not trusted. */
function trustKeeper({ live, registry }: FrontParts, { offer, grant }: TrustAsker): TrustKeeper {
  const isUntrusted = () =>
    live.current.trust.kind === "untrusted" ||
    registry.packs().some((pack) => pack.status().state === "untrusted");
  return { grant, offer: async () => isUntrusted() ? await offer() : undefined };
}

/** The pins of the project's tools, for the page. */
function pinKeeper({ live }: FrontParts): PinKeeper {
  return {
    changes(name) {
      const { cacheDir, servers, security } = live.current;
      const some = servers.filter((server) => server.name === name);
      return readPinChanges({ cacheDir, servers: some, mode: security.pin }).changes;
    },
    async accept(name, options) {
      const { security: { pin: mode }, ...config } = live.current;
      const server = config.servers.find((server) => server.name === name);
      return server ? await acceptPins({ ...config, mode }, { server, ...options }) : [];
    },
  };
}
