/** The `proj` pack: the configured projects, by name. */

import type { JsonObject } from "#base";
import { PackError } from "./errors.ts";
import { createLocalPack } from "./local.ts";
import { listed, nearest } from "./nearest.ts";
import type { Pack } from "./types.ts";

export interface Project {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly attrs: JsonObject;
}

/** Makes the pack over the projects of the config. */
export function createProjPack(projects: readonly Project[]): Pack {
  return createLocalPack("proj", [
    {
      spec: {
        name: "path",
        effect: "read",
        description: "The folder of a project; `proj.<name>` is the same",
        inputSchema: {
          type: "object",
          properties: { name: { type: "string", description: "The project's name" } },
          required: ["name"],
          additionalProperties: false,
        },
        outputSchema: { type: "string" },
      },
      call: ({ name }) => Promise.resolve({ value: find(projects, String(name)).path }),
    },
    {
      spec: {
        name: "list",
        effect: "read",
        description: "The names of all configured projects",
        inputSchema: { type: "object", properties: {}, additionalProperties: false },
        outputSchema: { type: "array", items: { type: "string" } },
      },
      call: () => Promise.resolve({ value: projects.map(({ name }) => name) }),
    },
  ]);
}

function find(projects: readonly Project[], name: string): Project {
  const match = projects.find((project) => project.name === name);
  if (match) return match;
  const near = nearest(name, projects.map((project) => project.name));
  throw new PackError(
    "tool_error",
    `Cannot find the project "${name}": available projects: ${listed(near)}`,
    { tool: "proj.path" },
  );
}
