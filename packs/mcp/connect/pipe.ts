/** A pipe of JSON-RPC messages, in the shape that the MCP client drives. */

export interface Pipe {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: unknown) => void;
  /** Takes the text of messages that the pipe does not read itself. Throws `SyntaxError` for what is no
   * message; all else that it throws ends the pipe. */
  ontext?: (text: string) => Promise<unknown>;
  readonly sessionId?: string;
  readonly hasPerRequestStream?: boolean;
  setProtocolVersion?: (version: string) => void;
}
