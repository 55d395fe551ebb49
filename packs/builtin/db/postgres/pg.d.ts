/** Types of pg, as far as it is used. */
declare namespace pg {
  interface Field {
    readonly name: string;
    readonly dataTypeID: number;
  }
  interface Result {
    readonly rowCount: number | null;
    readonly fields: readonly Field[];
  }
  interface QueryConfig {
    readonly text: string;
    readonly values: readonly unknown[];
    readonly rowMode: "array";
    readonly queryMode: "extended" | undefined;
  }
  interface Query {
    on(event: "row", listener: (row: (string | null)[], result: Result) => void): void;
    /** Several results of several statements. */
    on(event: "end", listener: (results: Result | readonly Result[]) => void): void;
    on(event: "error", listener: (error: Error) => void): void;
  }
  type Parser = (text: string) => unknown;
  interface Config {
    readonly password: () => string | Promise<never>;
    readonly application_name?: string;
    readonly connectionTimeoutMillis?: number;
    readonly stream: () => Socket;
    readonly types?: { getTypeParser(type: number): Parser };
  }
  type Socket = import("node:net").Socket;
  interface Stream {
    on(event: string, listener: (bytes: Uint8Array) => void): unknown;
    pause(): void;
    resume(): void;
    destroy(error?: Error): void;
  }
  interface Connection {
    readonly stream: Stream;
    readonly ssl: unknown;
    readonly sslNegotiation: string;
    /** Reads messages of the stream. */
    attachListeners(stream: Pick<Stream, "on">): void;
    connect(port: number | string, host?: string): void;
    requestSsl(): void;
    cancel(processID: number, secretKey: number): void;
    on(event: string, listener: () => void): void;
  }
  interface Client {
    readonly host: string;
    readonly port: number;
    readonly processID: number | null;
    readonly secretKey: number | null;
    readonly connection: Connection;
    connect(): Promise<void>;
    query(query: Query): Query;
    end(): Promise<void>;
    on(event: "error", listener: (error: Error) => void): void;
  }
}
declare const pg: {
  readonly Client: new (config: pg.Config) => pg.Client;
  readonly Query: new (config: pg.QueryConfig) => pg.Query;
  readonly types: { getTypeParser(type: number): pg.Parser };
};
export default pg;
