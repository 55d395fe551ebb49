/** `pyproject.toml` and `requirements.txt`. */

import { isPackageName } from "../package_name.ts";
import type { Dependency, Skipped } from "./dependency.ts";
import { asRecord } from "../../kit/values.ts";

interface Dependencies {
  readonly dependencies: Dependency[];
  readonly skipped: Skipped[];
}

/** Reads dependencies by PEP 621, PEP 735 and Poetry. */
export function readPyproject(value: unknown): Dependencies {
  const manifest = asRecord(value);
  const project = asRecord(manifest.project);
  const poetry = asRecord(asRecord(manifest.tool).poetry);
  const result: Dependencies = { dependencies: [], skipped: [] };
  add(result, "dependencies", project.dependencies);
  for (const groups of [project["optional-dependencies"], manifest["dependency-groups"]]) {
    for (const [group, list] of Object.entries(asRecord(groups))) add(result, group, list);
  }
  add(result, "build-system", asRecord(manifest["build-system"]).requires);
  addPoetry(result, "dependencies", poetry.dependencies);
  for (const [group, about] of Object.entries(asRecord(poetry.group))) {
    addPoetry(result, group, asRecord(about).dependencies);
  }
  return result;
}

/** Reads one requirement per line. Options are skipped. */
export function readRequirements(text: string): Dependencies {
  const result: Dependencies = { dependencies: [], skipped: [] };
  const lines = text.replace(/\\\r?\n/g, " ").split(/\r?\n/)
    .map((line) => line.replace(/(?:^|\s)#[^]*$/, "").trim()).filter(Boolean);
  for (const line of lines) {
    const bare = line.replace(/\s--\w[^]*$/, "");
    if (line.startsWith("-")) {
      result.skipped.push({ name: line.slice(0, 200), spec: "", reason: "it is an option of pip" });
    } else addRequirement(result, "requirements", bare);
  }
  return result;
}

function add(result: Dependencies, group: string, list: unknown): void {
  if (!Array.isArray(list)) return;
  for (const one of list) if (typeof one === "string") addRequirement(result, group, one);
}

/** Adds a requirement (PEP 508): `name[extra] >=1,<2; marker`. */
function addRequirement(result: Dependencies, group: string, requirement: string): void {
  const [bare = ""] = requirement.split(";", 1);
  const { name = "", rest = "" } = /^(?<name>[\w.-]+)(?<rest>[^]*)$/.exec(bare.trim())?.groups ??
    {};
  const bounds = rest.trimStart().replace(/^\[[^\]]*\]/, "").trimStart();
  const range = /^\(?([^()@]*)\)?$/.exec(bounds)?.[1];
  if (range !== undefined && isPackageName("pypi", name)) {
    result.dependencies.push({ name, registry: "pypi", group, range: range.trim() });
    return;
  }
  const [first = ""] = bare.trim().split(/[\s@[]/, 1);
  result.skipped.push({
    name: first.slice(0, 200),
    spec: requirement.slice(0, 300),
    reason: "it comes from no registry",
  });
}

function addPoetry(result: Dependencies, group: string, table: unknown): void {
  for (const [name, about] of Object.entries(asRecord(table))) {
    if (name === "python") continue;
    const spec = typeof about === "string" ? about : asRecord(about).version;
    if (typeof spec === "string" && isPackageName("pypi", name)) {
      result.dependencies.push({ name, registry: "pypi", group, range: poetryRange(spec) });
    } else {
      result.skipped.push({
        name,
        spec: JSON.stringify(about),
        reason: "it comes from no registry",
      });
    }
  }
}

/** Converts Poetry's `^1.2` and `~1.2` to PEP 440. */
function poetryRange(spec: string): string {
  return spec.split(",").map((text) => {
    const part = text.trim();
    const { mark = "", version = "" } =
      /^(?<mark>[\^~]?)\s*(?<version>\d+(?:\.\d+)*)$/.exec(part)?.groups ?? {};
    if (version === "") return part === "*" ? "" : part;
    if (mark === "") return `==${version}`;
    const parts = version.split(".").map(Number);
    const first = parts.findIndex((number) => number > 0);
    const at = mark === "~" ? Math.min(1, parts.length - 1) : first < 0 ? parts.length - 1 : first;
    const end = parts.slice(0, at + 1).map((number, place) => place === at ? number + 1 : number);
    return `>=${version},<${end.join(".")}`;
  }).filter(Boolean).join(",");
}
