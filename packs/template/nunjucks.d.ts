/** Types of nunjucks, as far as it is used. */
import type { TemplateNode } from "./check_template.ts";

declare namespace nunjucks {
  interface CompiledTemplate {
    readonly env: Environment;
    rootRenderFunc(
      env: Environment,
      context: unknown,
      frame: unknown,
      runtime: unknown,
      done: (error: unknown, text?: string | null) => void,
    ): void;
  }
  interface Environment {
    globals: Record<string, unknown>;
    addFilter(name: string, filter: (...values: unknown[]) => unknown): void;
  }
}
declare const nunjucks: {
  readonly parser: {
    parse(text: string, extensions: readonly unknown[], options: object): TemplateNode;
  };
  readonly Template: new (
    text: string,
    environment: nunjucks.Environment,
    path: string,
    eager: boolean,
  ) => nunjucks.CompiledTemplate;
  readonly Environment: new (
    loaders: readonly unknown[],
    options: { readonly autoescape: boolean },
  ) => nunjucks.Environment;
  readonly runtime: {
    readonly Frame: new () => { topLevel: boolean };
    readonly SafeString: new (...args: never[]) => object;
  } & Record<string, unknown>;
};
export default nunjucks;
