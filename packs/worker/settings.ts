/** Settings of a pack (`packs.<name>`) that Toolscript itself reads. */

import { isObject, type JsonObject, type JsonValue } from "#base";
import {
  type Extent,
  type Grants,
  isTexts,
  type PackSettings,
  type Permission,
  PERMISSIONS,
} from "./types.ts";
import { EFFECTS, readEffect } from "../effect.ts";

const TIMEOUT_SECONDS = 60;

export interface SettingsResult {
  readonly settings: PackSettings;
  /** Messages about invalid settings; an invalid permission is not granted. */
  readonly problems: readonly string[];
}

/** Reads `enabled`, `timeout`, `idle_timeout`, `permissions` and `secrets`, and checks `effects`,
 * which the registry applies; all other keys are the
 * pack's own configuration. */
export function readSettings(
  name: string,
  values: JsonObject,
  { idleMs }: { readonly idleMs: number },
): SettingsResult {
  const { enabled = true, timeout, idle_timeout: idle, permissions, secrets, effects, ...config } =
    values;
  const problems: string[] = [];
  const wrong = (key: string, what: string) =>
    void problems.push(`Cannot take "packs.${name}.${key}": it must be ${what}`);
  if (typeof enabled !== "boolean") wrong("enabled", "true or false");
  if (effects !== undefined && !isDeclared(effects)) {
    wrong("effects", `${EFFECTS.join(", ")} by name`);
  }
  const settings = {
    enabled: enabled !== false,
    config,
    secrets: readSecrets(secrets, wrong),
    granted: readGrants(permissions, wrong),
    timeoutMs: seconds(timeout, "timeout", wrong) ?? TIMEOUT_SECONDS * 1000,
    idleMs: seconds(idle, "idle_timeout", wrong) ?? idleMs,
  };
  return { settings, problems };
}

function isDeclared(effects: JsonValue): boolean {
  return isObject(effects) && Object.values(effects).every((effect) => readEffect(effect));
}

type Wrong = (key: string, what: string) => void;

function seconds(value: JsonValue | undefined, key: string, wrong: Wrong): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === "number" && value > 0) return value * 1000;
  wrong(key, "a number of seconds");
  return undefined;
}

function readSecrets(value: JsonValue | undefined, wrong: Wrong): Record<string, string> {
  if (value === undefined) return {};
  const entries = isObject(value) ? Object.entries(value) : [];
  const texts = entries.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  if (!isObject(value) || texts.length < entries.length) wrong("secrets", "texts by name");
  return Object.fromEntries(texts);
}

/** Reads `packs.<name>.permissions`. An invalid permission is not granted. */
export function readGrants(value: JsonValue | undefined, wrong: Wrong = () => {}): Grants {
  if (value === undefined || value === false) return {};
  if (value === true) return true;
  const grants: Partial<Record<Permission, Extent>> = {};
  if (!isObject(value)) {
    wrong("permissions", `true, or a map of ${PERMISSIONS.join(", ")}`);
    return {};
  }
  for (const [key, grant] of Object.entries(value)) {
    const permission = PERMISSIONS.find((each) => each === key);
    const extent = typeof grant === "string" ? [grant] : grant;
    if (!permission) wrong(`permissions.${key}`, `one of ${PERMISSIONS.join(", ")}`);
    else if (extent === true || isTexts(extent)) grants[permission] = extent;
    else if (extent !== false) wrong(`permissions.${key}`, "true or a list of texts");
  }
  return grants;
}
