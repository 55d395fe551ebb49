/** Types of papaparse, as far as it is used. */
declare const Papa: {
  parse<Row>(text: string, options: {
    readonly delimiter?: string;
    readonly preview?: number;
    readonly skipEmptyLines?: boolean | "greedy";
  }): {
    readonly data: Row[];
    readonly errors: readonly {
      readonly type: string;
      readonly message: string;
      readonly row?: number;
    }[];
    readonly meta: { readonly delimiter: string };
  };
  unparse(
    rows: readonly (readonly string[])[],
    options: { readonly delimiter: string; readonly newline: string },
  ): string;
};
export default Papa;
