/** References in values: `${VAR}`, `${VAR:-default}`, `${secret:NAME}`, `${keychain:NAME}`,
 * `${op://vault/item/field}`, `${cmd:NAME}`. */

/** Where references are looked up. */
export interface Scope {
  variable(name: string): string | undefined;
  secret(name: string): string | undefined;
  /** Tells that the home folder has the secret and does not lend it. */
  isHomeSecret?(name: string): boolean;
  /** Value of a reference to a place outside the files: `cmd:NAME`. Missing where none are read. */
  outside?(reference: string): Lookup;
}

/** Value of a reference, or the reason why it has none. */
export type Lookup = string | LookupFailure;
export interface LookupFailure {
  readonly reason: string;
  readonly fix: string;
}

export type Interpolated =
  | { readonly kind: "text"; readonly text: string; readonly replaced: boolean }
  | { readonly kind: "failed"; readonly message: string; readonly fix: string };

const REFERENCE = /\$?\$\{([^{}]*)(\}?)/g;
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const SECRET = /^secret:([A-Za-z0-9_.-]+)$/;
const OUTSIDE = /^(?:(?:keychain|cmd):[A-Za-z0-9_.-]{1,200}|op:\/\/[^\s"'`]{1,500})$/;
const NOT_HERE = { reason: "only values of settings can refer to it", fix: "Write it out" };

/** Replaces every reference once: references in a replacement stay text. `$${` stands for a plain
 * `${`. */
export function interpolate(text: string, scope: Scope): Interpolated {
  if (!text.includes("${")) return { kind: "text", text, replaced: false };
  let failure: Interpolated | undefined;
  const result = text.replace(REFERENCE, (whole, inner: string, close: string) => {
    if (whole.startsWith("$$")) return whole.slice(1);
    const result = close === "" ? malformed(whole) : lookUp(inner, scope);
    if (typeof result === "string") return result;
    failure ??= result;
    return whole;
  });
  return failure ?? { kind: "text", text: result, replaced: true };
}

function lookUp(inner: string, scope: Scope): string | Interpolated {
  const secret = SECRET.exec(inner)?.[1];
  if (secret !== undefined) return scope.secret(secret) ?? noSecret(secret, scope);
  if (OUTSIDE.test(inner)) {
    const lookup = scope.outside?.(inner) ?? NOT_HERE;
    return typeof lookup === "string" ? lookup : unread(inner, lookup);
  }
  const [name, fallback] = split(inner);
  if (!NAME.test(name)) return malformed(`\${${inner}}`);
  const value = scope.variable(name);
  if (fallback !== undefined) return value || fallback;
  return value ?? noVariable(name);
}

function split(inner: string): [string, string | undefined] {
  const at = inner.indexOf(":-");
  return at < 0 ? [inner, undefined] : [inner.slice(0, at), inner.slice(at + 2)];
}

function noVariable(name: string): Interpolated {
  return {
    kind: "failed",
    message: `Cannot read "\${${name}}": no such environment variable`,
    fix: `Set ${name}, or write "\${${name}:-default}"`,
  };
}

function noSecret(name: string, scope: Scope): Interpolated {
  if (scope.isHomeSecret?.(name)) {
    return {
      kind: "failed",
      message: `Cannot read "\${secret:${name}}": it is the home folder's, which does not lend it`,
      fix: `Lend it in ~/.onetool/onetool.yaml: secrets: { lend: { ${name}: [this project] } }`,
    };
  }
  return {
    kind: "failed",
    message: `Cannot read "\${secret:${name}}": no such secret`,
    fix: `Add "${name}: …" to the secrets.yaml beside this file`,
  };
}

function unread(inner: string, { reason, fix }: LookupFailure): Interpolated {
  return { kind: "failed", message: `Cannot read "\${${inner}}": ${reason}`, fix };
}

function malformed(whole: string): Interpolated {
  const excerpt = whole.length > 40 ? `${whole.slice(0, 40)}…` : whole;
  return {
    kind: "failed",
    message: `Cannot read "${excerpt}": not a reference`,
    fix: 'Write "${NAME}", "${NAME:-default}", "${secret:NAME}", "${keychain:NAME}", ' +
      '"${op://vault/item/field}" or "${cmd:NAME}", or "$${" for a plain "${"',
  };
}
