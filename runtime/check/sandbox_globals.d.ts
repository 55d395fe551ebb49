// deno-lint-ignore-file no-explicit-any -- as loose as the platform's own
/** Globals of a program that `deno types` does not name: timers, and what is left of `process`. */

/** Fits where a number is wanted and where Deno's own timer object is. */
type TimerId = number & { ref(): TimerId; unref(): TimerId; hasRef(): boolean };

type Callback = (...args: any[]) => unknown;

declare function setTimeout(callback: Callback, delay?: number, ...args: any[]): TimerId;
declare function setInterval(callback: Callback, delay?: number, ...args: any[]): TimerId;
declare function clearTimeout(id?: number | null): void;
declare function clearInterval(id?: number | null): void;

declare const process: {
  /** The folder that the toolscript was started in. */
  cwd(): string;
  exit(code?: number): never;
  readonly env: {
    readonly TOOLSCRIPT_GATEWAY_URL: string;
    readonly [name: string]: string | undefined;
  };
  readonly argv: readonly string[];
  nextTick(callback: Callback, ...args: any[]): void;
  hrtime: {
    (time?: readonly [number, number]): [number, number];
    bigint(): bigint;
  };
  readonly stdout: { write(text: string): boolean };
  readonly stderr: { write(text: string): boolean };
};

declare const Buffer: any;
declare const global: typeof globalThis;
declare function setImmediate(callback: Callback, ...args: any[]): TimerId;
declare function clearImmediate(id?: number | null): void;
