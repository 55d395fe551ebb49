/** Secrets on their way from other clients' files to `secrets.yaml`. */

import { parse, stringify } from "yaml";
import { isObject } from "#sandbox/json";
import { CliError } from "../error.ts";
import { writeNew } from "./write_new.ts";

const MODE = 0o600;

export interface SecretKeeper {
  /** How many are to be written. */
  readonly size: number;
  /** Takes a secret; answers the reference that stands for it. */
  keep(hint: string, about: { readonly server: string; readonly value: string }): string;
  /** Adds what was taken to the file, for the user's eyes only. */
  write(): Promise<void>;
}

/** Begins with what the file holds already. Throws `CliError` where that is no map. */
export async function openSecrets(file: string): Promise<SecretKeeper> {
  const text = await readText(file);
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
    async write() {
      if (added.size === 0) return;
      const lines = stringify(Object.fromEntries(added), { lineWidth: 0 });
      if (text === undefined && await writeNew(file, lines, { mode: MODE })) return;
      const gap = text === "" || text?.endsWith("\n") ? "" : "\n";
      const whole = `${text ?? ""}${gap}${lines}`;
      mapOf(whole, file);
      await Deno.writeTextFile(file, `${gap}${lines}`, { append: true });
    },
  };
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await Deno.readTextFile(file);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function mapOf(text: string | undefined, file: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parse(text ?? "") ?? {};
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
