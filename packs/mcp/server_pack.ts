/** MCP server as a pack: tools, calls, state. */

import { type JsonObject, Listeners, untraced } from "#base";
import type { ServerConfig } from "../server_config.ts";
import type {
  Args,
  CallOptions,
  CallResult,
  PackState,
  PackStatus,
  PersonalStep,
  ToolSpec,
} from "../types.ts";
import { callServer, type CallTarget, exchange, type Limit, sendOptions } from "./call/call.ts";
import { Callers } from "./call/callers.ts";
import type { ConnectDeps, Connection, ServerInfo, ServerNotice } from "./connect/connection.ts";
import type { ServerAuth } from "./auth/keeper.ts";
import { authTarget } from "./auth/target.ts";
import { Link } from "./connect/link.ts";
import { answerQuestion, showQuestions } from "./call/questions.ts";
import { signInStep } from "./call/sign_in.ts";
import { reach } from "./connect/routes.ts";
import { type LogTargets, tellLog } from "./call/server_log.ts";
import { ToolKeeper } from "./tools/tool_keeper.ts";
import type { ServerChange, ServerPack, ServerPackDeps } from "./server_pack_types.ts";
import type { ToolProblem } from "./tools/tool_list.ts";

const CONNECT_TIMEOUT_MS = 180_000;
const PROBE_TIMEOUT_MS = 5_000;
const MAX_MESSAGE_BYTES = 24 * 1024 * 1024;

/** Makes the pack of one server. Nothing is started before `start` or the first call.
 *
 * @example
 * ```ts ignore
 * await using pack = createServerPack(config, deps);
 * pack.start();
 * await pack.settle();
 * const { value } = await pack.call("echo", { message: "hi" }, {});
 * ```
 */
export function createServerPack(config: ServerConfig, deps: ServerPackDeps): ServerPack {
  return new McpServerPack(config, deps);
}

class McpServerPack implements ServerPack {
  readonly name: string;
  readonly source: string;
  readonly external: boolean;
  readonly #config: ServerConfig;
  readonly #deps: ServerPackDeps;
  readonly #link: Link;
  readonly #keeper: ToolKeeper;
  readonly #listeners = new Listeners();
  readonly onChange = this.#listeners.add;
  readonly #noticed = new Listeners<ServerChange>();
  readonly onNotice = this.#noticed.add;
  readonly #callers = new Callers();
  readonly #auth: ServerAuth | undefined;
  #isFollowing = false;
  #info: ServerInfo | null = null;
  #transport: PackStatus["transport"];

  constructor(config: ServerConfig, deps: ServerPackDeps) {
    this.name = config.name;
    this.source = `proxy:${config.name}`;
    this.external = config.external;
    this.#config = config;
    this.#deps = deps;
    this.#transport = config.kind === "auto" ? "http" : config.kind;
    const target = authTarget(config);
    this.#auth = target && deps.keeper?.authOf(target);
    const onChange = () => this.#changed();
    const timeoutMs = deps.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    this.#keeper = new ToolKeeper(config, { ...deps, timeoutMs, onChange });
    this.#link = new Link({
      open: (signal) => this.#traced(signal),
      onChange,
      idleMs: config.kind === "stdio" && !config.keepAlive ? config.idleTimeoutMs : undefined,
      reconnect: deps.lazy !== true,
    }, this.#firstState());
    if (!config.enabled) this.#link.settle();
  }

  tools(): readonly ToolSpec[] {
    return this.#keeper.tools;
  }

  problems(): readonly ToolProblem[] {
    return this.#keeper.problems;
  }

  changed(): number {
    return this.#keeper.changes.size;
  }

  info(): ServerInfo | null {
    return this.#info;
  }

  get description(): string {
    return this.#info?.about ?? "";
  }

  instructions(): string | null {
    return this.#keeper.instructions;
  }

  status(): PackStatus {
    return { ...this.#link.status(), transport: this.#transport };
  }

  start(): void {
    if (this.#waits) this.#link.settle();
    else this.wake();
  }

  wake(): void {
    if (this.#config.enabled) this.#link.start();
  }

  restart(): void {
    this.#link.life.retire();
    this.wake();
  }

  async settle(): Promise<void> {
    if (!this.#config.enabled || this.tools().length > 0) return;
    this.start();
    await this.#link.settled;
  }

  step(): PersonalStep | null {
    const isNeeded = this.#link.status().state === "needs-auth";
    return isNeeded && this.#auth ? signInStep({ kind: "needs_auth" }, this.#auth) : null;
  }

  takeStep(options: CallOptions): Promise<void> {
    return this.#exchange("sign-in", options, () => Promise.resolve());
  }

  call(tool: string, args: Args, options: CallOptions): Promise<CallResult> {
    return callServer(this.#target, { tool, args }, options);
  }

  capabilities(options: CallOptions): Promise<JsonObject> {
    return this.#exchange(
      "capabilities",
      options,
      (connection) => Promise.resolve(connection.capabilities),
    );
  }

  request(method: string, params: JsonObject, options: CallOptions): Promise<unknown> {
    return this.#exchange(
      method,
      options,
      (connection, limit) =>
        this.#callers.run({ ...limit, peer: options.peer }, async () => {
          const result = await connection.request(method, params, sendOptions(options, limit));
          return showQuestions(result, this.name);
        }),
    );
  }

  watch(uri: string, options: CallOptions): Promise<() => Promise<void>> {
    return this.#exchange(
      "resources/subscribe",
      options,
      (connection, limit) => connection.watch(uri, sendOptions(options, limit)),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#link[Symbol.asyncDispose]();
    await this.#keeper.flush();
  }

  get #target(): CallTarget & LogTargets {
    const [config, { life }, keeper, auth] = [this.#config, this.#link, this.#keeper, this.#auth];
    return { config, life, keeper, auth, callers: this.#callers, log: this.#deps.log };
  }

  get #waits(): boolean {
    return this.#deps.lazy === true && this.#keeper.isFresh;
  }

  #firstState(): PackState {
    if (!this.#config.enabled) return "disabled";
    return this.#waits ? "idle" : "connecting";
  }

  #traced(signal: AbortSignal): Promise<Connection> {
    const { tracer = untraced } = this.#deps;
    return tracer.span("mcp.connect", { server: this.name }, async (span) => {
      const connection = await this.#open(signal);
      span.set({ transport: connection.transport, tools: this.tools().length });
      return connection;
    });
  }

  async #open(signal: AbortSignal): Promise<Connection> {
    const opened: { connection?: Connection } = {};
    const connection = await reach(this.#config, this.#connectDeps(), {
      timeoutMs: this.#deps.connectTimeoutMs ?? CONNECT_TIMEOUT_MS,
      signal,
      onNotice: (notice) => this.#notice(notice, opened.connection),
      era: this.#keeper.era,
    });
    opened.connection = connection;
    this.#callers.forget();
    this.#info = connection.info;
    this.#transport = connection.transport;
    try {
      await this.#keeper.refresh(connection, signal);
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  #exchange<T>(
    method: string,
    options: CallOptions,
    work: (connection: Connection, limit: Limit) => Promise<T>,
  ): Promise<T> {
    return exchange(this.#target, { ...options, name: `${this.name}.${method}` }, work);
  }

  #notice(notice: ServerNotice, connection: Connection | undefined): void {
    if (notice.kind === "log") return tellLog(notice.params, this.#target);
    if (notice.kind === "tools") this.#relist(connection);
    this.#noticed.tell(notice);
  }

  #relist(connection: Connection | undefined): void {
    // The first list covers a notification that arrives before it.
    if (!connection) return;
    this.#keeper.refresh(connection, this.#link.life.signal).catch((error) => {
      if (!this.#link.life.has(connection)) return; // the next connect reads the list
      const facts = { server: this.name, error: String(error) };
      this.#deps.log("warning", "Cannot read a changed tool list", facts);
    });
  }

  #connectDeps(): ConnectDeps {
    return {
      ...this.#deps,
      answer: (question, signal) => {
        const caller = this.#callers.find();
        const server = this.name;
        if (!caller) this.#deps.log("debug", "A question belongs to no one run", { server });
        return answerQuestion(question, { server, caller, signal });
      },
      auth: this.#auth,
      probeTimeoutMs: this.#deps.probeTimeoutMs ?? PROBE_TIMEOUT_MS,
      maxMessageBytes: this.#deps.maxMessageBytes ?? MAX_MESSAGE_BYTES,
    };
  }

  #changed(): void {
    this.#listeners.tell();
    void this.#followSignIn();
  }

  /** Connects once another process has signed in. */
  async #followSignIn(): Promise<void> {
    if (this.#isFollowing || !this.#auth || this.step() === null) return;
    this.#isFollowing = true;
    try {
      await this.#auth.signedIn(this.#link.life.signal);
      if (this.step() !== null) this.wake();
    } catch {
      // The pack has ended.
    } finally {
      this.#isFollowing = false;
    }
  }
}
