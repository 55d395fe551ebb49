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
  interface Frame {
    topLevel: boolean;
    push(isolates: boolean): Frame;
    set(name: string, value: unknown, isOuter?: boolean): void;
  }
  interface Environment {
    globals: Record<string, unknown>;
    addFilter(name: string, filter: (...values: unknown[]) => unknown): void;
    getFilter(name: string): (this: unknown, ...values: unknown[]) => unknown;
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
    readonly Frame: new (parent?: nunjucks.Frame, isolates?: boolean) => nunjucks.Frame;
    readonly SafeString: new (...args: never[]) => object;
  } & Record<string, unknown>;
};
export default nunjucks;
