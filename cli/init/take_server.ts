/** A server as another client has it becomes one of `onetool.yaml`; its secrets are kept apart. */

import { basename } from "node:path";
import { isSecretName, isSecretOption } from "#config";
import { RESERVED, transportOf } from "#packs/server";
import { isObject } from "#sandbox/json";
import type { ClientServer } from "./client_files.ts";
import { type References, translate } from "./references.ts";
import type { SecretKeeper } from "./secret_keeper.ts";

export type TakenServer =
  | {
    readonly kind: "taken";
    readonly name: string;
    /** As it is written. */
    readonly settings: Readonly<Record<string, unknown>>;
    /** What must be set before it can be switched on. */
    readonly lacks: readonly string[];
  }
  | { readonly kind: "left"; readonly name: string; readonly why: string };

export interface TakeOptions {
  readonly secrets: SecretKeeper;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Takes what both know, with references in our own spelling. */
export function takeServer(found: ClientServer, { secrets, env }: TakeOptions): TakenServer {
  const { entry } = found;
  const name = ownName(found.name);
  const left = (why: string): TakenServer => ({ kind: "left", name: found.name, why });
  if (name === undefined) return left("its name has no letter");
  if (isToolscript(entry)) return left("it is Toolscript itself");
  const { command, url, cwd, type = entry.transport } = entry;
  if (typeof command !== "string" && typeof url !== "string") {
    return left("it has neither a command nor a url");
  }
  const refs: References = { env, lacks: new Set() };
  const own = (text: string) => translate(text, refs);
  const keep = (hint: string, value: string) => secrets.keep(hint, { server: name, value });
  const settings = {
    ...(typeof command === "string"
      ? { command: own(command), args: takeArguments(entry.args, { own, keep }) }
      : { url: takeAddress(String(url), { own, keep }) }),
    ...(typeof type === "string" && transportOf(type) ? { type } : {}),
    ...(typeof cwd === "string" ? { cwd: own(cwd) } : {}),
    env: takeMap(entry.env, { own, keep }),
    headers: takeMap(entry.headers, { own, keep }),
    ...(entry.disabled === true || entry.enabled === false ? { enabled: false } : {}),
  };
  const lacks = [...refs.lacks];
  const off = lacks.length > 0 ? { enabled: false } : {};
  return { kind: "taken", name, settings: { ...withoutEmpty(settings), ...off }, lacks };
}

interface Spelling {
  readonly own: (text: string) => string;
  /** Puts a secret away; answers the reference to it. */
  readonly keep: (hint: string, value: string) => string;
}

function takeArguments(args: unknown, { own, keep }: Spelling): string[] {
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

function takeAddress(url: string, { own, keep }: Spelling): string {
  return own(url).replace(
    /([?&])([^=&#]+)=([^&#]+)/g,
    (whole, mark: string, name: string, value: string) =>
      isSecretName(name) && isLiteral(value) ? `${mark}${name}=${keep(name, value)}` : whole,
  );
}

function takeMap(map: unknown, { own, keep }: Spelling): Record<string, string> {
  const entries = Object.entries(isObject(map) ? map : {}).map(([name, value]) => {
    const text = String(value);
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

/** It would start itself without end. */
function isToolscript({ command, args }: ClientServer["entry"]): boolean {
  const words = Array.isArray(args) ? args.map(String) : [];
  if (basename(String(command ?? "")).replace(/\.\w+$/, "") === "toolscript") return true;
  return words.includes("mcp") && words.some((word) => /toolscript|\bmain\.ts$/.test(word));
}

function withoutEmpty(settings: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const isEmpty = (value: unknown) =>
    Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => !isEmpty(value)));
}
