/** Secrets on their way from other clients' files to `secrets.yaml`. */

import { join } from "node:path";
import { parse, stringify } from "yaml";
import { readOwn } from "#files";
import { isObject } from "#sandbox/json";
import { CliError } from "../error.ts";
import { gitExposure } from "./git_exposure.ts";
import { type InitPlace, writeWhole } from "./write_new.ts";

const MODE = 0o600;

export interface SecretKeeper {
  /** How many are to be written. */
  readonly size: number;
  /** Takes a secret; answers the reference that stands for it. */
  keep(hint: string, about: { readonly server: string; readonly value: string }): string;
  /** Adds what was taken to the file, for the user's eyes only. Throws `CliError` where others, or
   * git, would have it too. */
  write(): void;
}

/** Begins with what the file holds already. Throws `CliError` where that is no map. */
export function openSecrets({ folder, root }: InitPlace): SecretKeeper {
  const file = join(folder, "secrets.yaml");
  const own = readOwn(file);
  const text = own.kind === "text" ? own.text : "";
  const known = mapOf(text, file);
  const added = new Map<string, string>();

  function nameFor(hint: string, { server, value }: { server: string; value: string }): string {
    const plain = upper(hint);
    // A header's name says nothing of whose it is.
    const wanted = /^(AUTHORIZATION|COOKIE|TOKEN|API_?KEY|KEY|PASSWORD|SECRET)$/.test(plain)
      ? `${upper(server)}_${plain}`
      : plain;
    for (let count = 1;; count++) {
      const name = count === 1 ? wanted : `${wanted}_${count}`;
      const held = added.get(name) ?? (Object.hasOwn(known, name) ? known[name] : undefined);
      if (held === undefined || held === value) return name;
    }
  }

  return {
    get size() {
      return added.size;
    },
    keep(hint, about) {
      const name = nameFor(hint, about);
      if (!Object.hasOwn(known, name)) added.set(name, about.value);
      return `\${secret:${name}}`;
    },
    write() {
      if (added.size === 0) return;
      const problem = own.kind === "refused" ? `${own.why}: ${own.fix}` : exposure(file);
      if (problem !== undefined) {
        throw new CliError(1, `Cannot put secrets into "${file}": ${problem}`);
      }
      const lines = stringify(Object.fromEntries(added), { lineWidth: 0 });
      const gap = text === "" || text.endsWith("\n") ? "" : "\n";
      const whole = `${text}${gap}${lines}`;
      mapOf(whole, file);
      writeWhole(file, whole, { root, mode: MODE });
    },
  };
}

/** Reason why others would have what is written there. */
function exposure(file: string): string | undefined {
  const mode = modeOf(file);
  if ((mode & 0o077) !== 0) return `others can read it: chmod 600 "${file}"`;
  return gitExposure(file);
}

/** Of what is there; a link is refused where it would be written. */
function modeOf(file: string): number {
  try {
    const { mode, isSymlink } = Deno.lstatSync(file);
    return isSymlink ? 0 : mode ?? 0;
  } catch {
    // None yet.
    return 0;
  }
}

function mapOf(text: string, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text) ?? {};
    if (isObject(value)) return value;
  } catch {
    // Told below: it is the person's to mend.
  }
  const way = 'write it as lines of "NAME: value"';
  throw new CliError(1, `Cannot add secrets to "${file}": it is no plain map: ${way}`);
}

function upper(text: string): string {
  return text.replace(/^-+/, "").replace(/\W+/g, "_").toUpperCase();
}
