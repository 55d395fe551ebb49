/** References to variables, translated from the syntax of other clients. */

export interface References {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Collects missing variables and secrets. */
  readonly lacks: Set<string>;
}

/** Rewrites `${env:X}`, `${input:X}`, `${workspaceFolder}` (`.`, since servers start in the project)
 * and `${userHome}`. Unknown references are escaped and stay text. */
export function translate(text: string, refs: References): string {
  return text.replace(/\$\{([^}]*)(\}?)/g, (_, inner: string, end: string) => {
    if (end === "") return `$\${${inner}`;
    return reference(inner, refs) ?? `$\${${inner}}`;
  });
}

function reference(inner: string, { env, lacks }: References): string | undefined {
  if (inner === "workspaceFolder") return ".";
  if (inner === "userHome") return "${HOME}";
  const [, input] = /^input:([\w.-]+)$/.exec(inner) ?? [];
  if (input !== undefined) {
    const name = input.replace(/[.-]/g, "_").toUpperCase();
    lacks.add(`the secret ${name}`);
    return `\${secret:${name}}`;
  }
  const [, name, fallback] = /^(?:env:)?([A-Za-z_]\w*)(:-.*)?$/s.exec(inner) ?? [];
  if (name === undefined) return undefined;
  if (fallback === undefined && (env[name] ?? "") === "") lacks.add(`the variable ${name}`);
  return `\${${name}${fallback ?? ""}}`;
}
