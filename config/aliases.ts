/** Aliases that lead in a circle, or to no tool and no alias (RUN-29, RUN-30). */

import { configuredPacks } from "#packs/configured";
import { closest } from "#packs/nearest";
import { OWN_PACKS } from "#packs/server";
import { type Node, placeOf } from "./tree/node.ts";
import type { ResolvedConfig } from "./resolve.ts";
import type { ConfigFinding } from "./types.ts";

type Aliases = ResolvedConfig["alias"];
type Problem = Pick<ConfigFinding, "message" | "fix">;

export interface AliasOptions {
  /** The merged configuration, with the places. */
  readonly root: Node;
  readonly home: string;
  /** Names of further packs. */
  readonly others: readonly string[];
}

/** Checks the targets of all aliases. The tools of a server are not known yet: of a target only the
 * pack is looked up. */
export function aliasFindings(
  config: ResolvedConfig,
  { root, home, others }: AliasOptions,
): ConfigFinding[] {
  const aliases = config.alias;
  const names = Object.keys(aliases);
  if (names.length === 0) return [];
  const packs = [...packNames(config, home), ...others];
  const inCircles = new Set<string>();
  return names.flatMap((name) => {
    if (inCircles.has(name)) return [];
    const circle = circleOf(name, aliases);
    for (const member of circle ?? []) inCircles.add(member);
    const problem = circle ? circleProblem(circle) : targetProblem(aliases[name] ?? "", {
      aliases,
      packs,
    });
    if (!problem) return [];
    const message = `Cannot take the alias "${name}": ${problem.message}`;
    const place = placeOf(root, ["alias", name]);
    return [{ severity: "error" as const, ...problem, message, ...place }];
  });
}

function packNames({ packs, ...config }: ResolvedConfig, home: string): string[] {
  const { extensions: _, ...builtin } = packs;
  // An alias of a pack that is not trusted yet is no mistake.
  const trust = { kind: "none" };
  return [
    ...configuredPacks({ ...config, home, packs: builtin, trust }),
    ...config.servers.map(({ name }) => name),
    ...Object.keys(builtin),
    ...OWN_PACKS,
  ];
}

/** The aliases from `name` back to itself; undefined where it does not lead there. */
function circleOf(name: string, aliases: Aliases): string[] | undefined {
  const path = new Set([name]);
  let target = aliases[name] ?? "";
  while (Object.hasOwn(aliases, target) && !path.has(target)) {
    path.add(target);
    target = aliases[target] ?? "";
  }
  return target === name ? [...path] : undefined;
}

function circleProblem(circle: readonly string[]): Problem {
  const [first] = circle;
  return {
    message: `it leads back to itself (${[...circle, first].join(" → ")})`,
    fix: "Let one of them name a tool",
  };
}

interface AliasTargets {
  readonly aliases: Aliases;
  readonly packs: readonly string[];
}

function targetProblem(target: string, { aliases, packs }: AliasTargets): Problem | undefined {
  if (Object.hasOwn(aliases, target)) return undefined;
  const [, pack] = /^([^.]+)\../.exec(target) ?? [];
  if (pack === undefined) {
    const near = closest(target, Object.keys(aliases));
    return {
      message: `"${target}" is neither pack.tool nor an alias`,
      fix: near === undefined ? "Write pack.tool" : `Did you mean "${near}"?`,
    };
  }
  if (packs.some((name) => plain(name) === plain(pack))) return undefined;
  const near = closest(pack, packs);
  return {
    message: `no server and no pack is called "${pack}"`,
    fix: near === undefined
      ? `Add the server "${pack}", or name another`
      : `Did you mean "${near}"?`,
  };
}

/** The same for all spellings of a name: `my-files`, `my_files`, `myFiles`. */
function plain(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}
