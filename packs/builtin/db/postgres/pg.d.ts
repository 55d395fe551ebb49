/** Types of pg, as far as it is used. */
declare namespace pg {
  interface Field {
    readonly name: string;
    readonly dataTypeID: number;
  }
  type Row = Readonly<Record<string, string | null>>;
  interface Result {
    readonly rows: readonly Row[];
    readonly rowCount: number | null;
    readonly fields: readonly Field[];
  }
  interface QueryConfig {
    readonly text: string;
    readonly values: readonly unknown[];
    readonly rowMode: "array";
    readonly queryMode: "extended";
  }
  interface Query {
    on(event: "row", listener: (row: (string | null)[], result: Result) => void): void;
    on(event: "end", listener: (result: Result) => void): void;
    on(event: "error", listener: (error: Error) => void): void;
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
        pause(): void;
        resume(): void;
        destroy(error?: Error): void;
      };
    };
    connect(): Promise<void>;
    query(query: Query): Query;
    /** Several results of several statements. */
    query(text: string): Promise<Result | readonly Result[]>;
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
