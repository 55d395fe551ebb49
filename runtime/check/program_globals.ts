/** Names that programs have beside Deno's own types: what the sandbox leaves of Node's globals. */

/** Declarations, as a file of the checker's. */
export const PROGRAM_GLOBALS = `
declare var process: {
  cwd(): string;
  exit(code?: number): never;
  readonly env: Record<string, string | undefined>;
  readonly argv: string[];
  nextTick(callback: (...args: any[]) => void, ...args: any[]): void;
  hrtime: { (time?: [number, number]): [number, number]; bigint(): bigint };
  readonly stdout: { write(text: string): boolean };
  readonly stderr: { write(text: string): boolean };
};
declare var Buffer: any;
declare var global: typeof globalThis;
declare function setImmediate(callback: (...args: any[]) => void, ...args: any[]): any;
declare function clearImmediate(handle: any): void;
`;
