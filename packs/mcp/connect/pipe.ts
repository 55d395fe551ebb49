/** A pipe of JSON-RPC messages, in the shape that the MCP client drives. */

export interface Pipe {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown, extra?: unknown) => void;
  readonly sessionId?: string;
  readonly hasPerRequestStream?: boolean;
  setProtocolVersion?: (version: string) => void;
}
