/** Types of pg, as far as it is used. */
declare namespace pg {
  interface Field {
    readonly name: string;
    readonly dataTypeID: number;
  }
  interface Result {
    readonly rows: unknown[][];
    readonly rowCount: number | null;
    readonly fields: readonly Field[];
  }
  interface Query {
    readonly text: string;
    readonly values?: readonly unknown[];
    readonly rowMode?: "array";
    readonly queryMode?: "extended";
  }
  type Parser = (text: string) => unknown;
  interface Config {
    readonly connectionString: string;
    readonly application_name?: string;
    readonly connectionTimeoutMillis?: number;
    readonly types?: { getTypeParser(type: number): Parser };
  }
  interface Client {
    readonly processID: number | null;
    readonly connection: {
      readonly stream: {
        on(event: "data", listener: (bytes: Uint8Array) => void): void;
        destroy(error?: Error): void;
      };
    };
    connect(): Promise<void>;
    query(query: Query): Promise<Result>;
    query(text: string): Promise<Result | Result[]>;
    end(): Promise<void>;
    on(event: "error", listener: (error: Error) => void): void;
  }
}
declare const pg: {
  readonly Client: new (config: pg.Config) => pg.Client;
  readonly types: { getTypeParser(type: number): pg.Parser };
};
export default pg;
