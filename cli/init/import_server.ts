/** Import of a server from another client into `onetool.yaml`; its secrets are stored separately. */

import { isObject } from "#base";
import { isSecretName, isSecretOption } from "#config";
import { isOwnEntry } from "#packs/own-entry";
import { RESERVED, transportOf } from "#packs/server";
import type { ClientServer } from "./client_files.ts";
import type { SecretKeeper } from "./secret_keeper.ts";
import { PLACES, startPlaceOf, textsOf } from "./start_place.ts";

export type ServerImport =
  | {
    readonly kind: "taken";
    readonly name: string;
    /** Settings to write. */
    readonly settings: Readonly<Record<string, unknown>>;
    /** Variables and secrets to set before it can be enabled. */
    readonly lacks: readonly string[];
    /** True where its folder is not the client's word, but that of servers without a project. */
    readonly isApart: boolean;
  }
  | { readonly kind: "left"; readonly name: string; readonly why: string };

export interface ImportOptions {
  readonly secrets: SecretKeeper;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Imports the settings that both clients support, with references translated. */
export function importServer(server: ClientServer, { secrets, env }: ImportOptions): ServerImport {
  const { entry } = server;
  const name = ownName(server.name);
  const left = (why: string): ServerImport => ({ kind: "left", name: server.name, why });
  if (name === undefined) return left("its name has no letter");
  if (isOwnEntry(commandLine(entry))) return left("it is Toolscript itself");
  const { url, type = entry.transport } = entry;
  const { command, cwd, isOwn: isApart } = startPlaceOf(server, env);
  if (typeof command !== "string" && typeof url !== "string") {
    return left("it has neither a command nor a url");
  }
  const refs: References = { env, lacks: new Set(), isApart: server.isApart };
  const own = (text: string) => translate(text, refs);
  const keep = (hint: string, value: string) => secrets.keep(hint, { server: name, value });
  const settings = {
    ...(typeof command === "string"
      ? { command: own(command), args: importArguments(entry.args, { own, keep }) }
      : { url: importUrl(String(url), { own, keep }) }),
    ...(typeof type === "string" && transportOf(type) ? { type } : {}),
    ...(cwd === undefined ? {} : { cwd: own(cwd) }),
    env: importMap(entry.env, { own, keep }),
    headers: importMap(entry.headers, { own, keep }),
    ...(entry.disabled === true || entry.enabled === false ? { enabled: false } : {}),
  };
  const lacks = [...refs.lacks];
  const off = lacks.length > 0 ? { enabled: false } : {};
  return { kind: "taken", name, settings: { ...withoutEmpty(settings), ...off }, lacks, isApart };
}

interface Spelling {
  readonly own: (text: string) => string;
  /** Stores a secret; returns the reference to it. */
  readonly keep: (hint: string, value: string) => string;
}

function importArguments(args: unknown, { own, keep }: Spelling): string[] {
  const texts = (Array.isArray(args) ? args : []).map(String);
  return texts.map((text, index) => {
    const before = texts[index - 1] ?? "";
    const [option = "", ...rest] = text.split("=");
    const value = rest.join("=");
    if (isSecretOption(text) && isLiteral(value)) return `${option}=${keep(option, value)}`;
    const follows = isSecretOption(before) && !before.includes("=") && !text.startsWith("-");
    return follows && isLiteral(text) ? keep(before, text) : own(text);
  });
}

function importUrl(url: string, { own, keep }: Spelling): string {
  return own(url).replace(
    /([?&])([^=&#]+)=([^&#]+)/g,
    (whole, mark: string, name: string, value: string) =>
      isSecretName(name) && isLiteral(value) ? `${mark}${name}=${keep(name, value)}` : whole,
  );
}

function importMap(map: unknown, { own, keep }: Spelling): Record<string, string> {
  const entries = Object.entries(textsOf(map)).map(([name, text]) => {
    return [name, isSecretName(name) && isLiteral(text) ? keep(name, text) : own(text)] as const;
  });
  return Object.fromEntries(entries);
}

function isLiteral(text: string): boolean {
  return text !== "" && !text.includes("${");
}

function ownName(name: string): string | undefined {
  const plain = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+|-+$/g, "");
  if (!/[A-Za-z]/.test(plain)) return undefined;
  return Object.hasOwn(RESERVED, plain) ? `${plain}-server` : plain;
}

function commandLine({ command, args }: ClientServer["entry"]): string[] {
  return [command, ...Array.isArray(args) ? args : []].map(String);
}

function withoutEmpty(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)));
}

interface References {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Collects missing variables and secrets. */
  readonly lacks: Set<string>;
  /** True for a client that starts its servers in no project. */
  readonly isApart: boolean;
}

/** Rewrites `${env:X}`, `${input:X}`, `${workspaceFolder}` (`.`, since servers start in the project)
 * and `${userHome}`. Unknown references are escaped and stay text. */
function translate(text: string, refs: References): string {
  return text.replace(/\$\{([^{}$]*)(\}?)/g, (_, inner: string, end: string) => {
    if (end === "") return `$\${${inner}`;
    return reference(inner, refs) ?? `$\${${inner}}`;
  });
}

function reference(inner: string, { env, lacks, isApart }: References): string | undefined {
  if (inner === "workspaceFolder") return isApart ? undefined : ".";
  if (inner === "userHome") return "${HOME}";
  const [, input] = /^input:([\w.-]+)$/.exec(inner) ?? [];
  if (input !== undefined) {
    const name = input.replace(/[.-]/g, "_").toUpperCase();
    lacks.add(`the secret ${name}`);
    return `\${secret:${name}}`;
  }
  const [, mark, name, fallback] = /^(env:)?([A-Za-z_]\w*)(:-.*)?$/s.exec(inner) ?? [];
  // Clients without projects have no other references to variables.
  if (name === undefined || PLACES.test(name) || (isApart && !mark)) return undefined;
  if (fallback === undefined && (env[name] ?? "") === "") lacks.add(`the variable ${name}`);
  return `\${${name}${fallback ?? ""}}`;
}
