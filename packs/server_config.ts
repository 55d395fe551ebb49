/** A server's configuration after it was checked and every default filled in. */

interface Common {
  readonly name: string;
  readonly enabled: boolean;
  /** Glob patterns of tool names that are kept; empty keeps all. */
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  /** Whether what it answers was written by others (RUN-58 to 60). */
  readonly external: boolean;
  /** Of one call, milliseconds. */
  readonly timeoutMs: number;
}

export interface StdioServer extends Common {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** What the config says; what a program needs to start is added at launch. */
  readonly env: Readonly<Record<string, string>>;
  /** Working directory, absolute. */
  readonly cwd: string;
  /** Whether that is the project since the config names none. */
  readonly isDefaultCwd?: boolean;
  readonly idleTimeoutMs: number;
  readonly keepAlive: boolean;
}

export interface HttpServer extends Common {
  /** `auto` tries Streamable HTTP and falls back to SSE. */
  readonly kind: "http" | "sse" | "auto";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type ServerConfig = StdioServer | HttpServer;
