/** The configured projects as programs see them. It runs in the program's own process, is served
 * as it stands, and so imports nothing. */

/** One project: its name, its folder, its attributes. */
export type ProjectRow = readonly [
  name: string,
  path: string,
  attributes?: Readonly<Record<string, unknown>>,
];

/** A path that is a string everywhere, and can be joined. */
export type ProjectPath = string & {
  /** The path below this one. */
  join(...parts: readonly string[]): ProjectPath;
  readonly path: string;
  // deno-lint-ignore no-explicit-any -- what the configuration says, of any shape
  attr(name: string): any;
};

export interface ProjFunctions {
  /** The folder of a project. */
  path(project: string | { readonly name: string }): ProjectPath;
  /** The names of all projects. */
  list(): string[];
}

/** Thrown for a name that is no project and no function of `proj`. */
class AttributeError extends Error {
  override readonly name = "AttributeError";
}

class Path extends String {
  readonly #attributes: Readonly<Record<string, unknown>>;

  constructor(path: string, attributes: Readonly<Record<string, unknown>>) {
    super(path);
    this.#attributes = attributes;
  }

  get path(): string {
    return this.toString();
  }

  join(...parts: readonly string[]): Path {
    const joined = [this.path, ...parts.map(String)].join("/");
    return new Path(normalise(joined), this.#attributes);
  }

  attr(name: string): unknown {
    return Object.hasOwn(this.#attributes, name) ? this.#attributes[name] : undefined;
  }
}

/** Makes `proj`: its functions come before projects of the same name (RUN-33). */
export function createProj<T>(rows: readonly ProjectRow[]): T {
  const projects = new Map(rows.map(([name, path, attributes = {}]) => {
    return [name, new Path(path, attributes)];
  }));

  function find(name: string): Path {
    const project = projects.get(name);
    if (project) return project;
    const names = [...projects.keys()].join(", ") || "none";
    throw new AttributeError(
      `"proj" has no "${name}": available functions: path, list; available projects: ${names}`,
    );
  }

  const functions = new Map<string, unknown>([
    [
      "path",
      (project: string | { readonly name: string }) =>
        find(typeof project === "object" && "name" in project ? project.name : String(project)),
    ],
    ["list", () => [...projects.keys()]],
  ]);
  return new Proxy(Object.freeze(Object.create(null)), {
    get(_, name) {
      if (typeof name === "symbol" || name === "then" || name === "toJSON") return undefined;
      return functions.get(name) ?? find(name);
    },
    has: (_, name) => typeof name === "string" && (functions.has(name) || projects.has(name)),
  }) as T;
}

/** Without `.` and empty parts, `..` going up. */
function normalise(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return (path.startsWith("/") ? "/" : "") + parts.join("/");
}
