/** References to variables, as other clients write them, in our own spelling. */

export interface References {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What is referred to and not there: gets what is missing. */
  readonly lacks: Set<string>;
}

/** Rewrites `${env:X}`, `${input:X}`, `${workspaceFolder}` and `${userHome}`; a server starts in the
 * project's folder. What nobody knows stays as it is, as text. */
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
