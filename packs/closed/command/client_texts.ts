/** Texts by which clients start programs: agents, skills and commands, in folders of theirs. */

import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { attempt } from "#base";
import { infoOf } from "../scripts.ts";
import { OWN_FILES, OWN_FOLDERS, PROFILE_FILES, PROFILES } from "./client_names.ts";

/** Folders of texts in which a client runs no more than it marks. */
const MARKED = /\/(?:skills|commands?)(?:\/|$)/;
const MOST = {
  profiles: 50,
  depth: 5,
  folders: 300,
  files: 100,
  marked: 300,
  head: 65_536,
  aliases: 8,
};

/** Files in a folder of a client, and in those below; of skills those that a client reads at its start. */
export async function filesBelow(top: string): Promise<string[]> {
  const most = MARKED.test(top) ? MOST.marked : MOST.files;
  const isSkills = basename(top) === "skills";
  const files: string[] = [];
  const folders = [{ folder: top, depth: 1 }];
  for (const { folder, depth } of folders) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory() ||
        (entry.isSymbolicLink() && (await infoOf(path))?.isDirectory() === true);
      const isBelow = depth < MOST.depth && entry.name !== "node_modules";
      if (isFolder && isBelow && folders.length < MOST.folders) {
        folders.push({ folder: path, depth: depth + 1 });
      }
      const isRead = !isSkills || entry.name.toLowerCase() === "skill.md";
      if (!isFolder && isRead && files.push(path) >= most) return files;
    }
  }
  return files;
}

/** Files of the home folder by which clients start programs. */
export async function ownFiles(home: string): Promise<string[]> {
  const profiles = PROFILES.map(async (path) => {
    const names = await readdir(join(home, path)).catch(() => []);
    return names.slice(0, MOST.profiles)
      .flatMap((name) => PROFILE_FILES.map((file) => join(home, path, name, file)));
  });
  const below = OWN_FOLDERS.map((path) => filesBelow(join(home, path)));
  return [
    ...OWN_FILES.map((path) => join(home, path)),
    ...(await Promise.all([...profiles, ...below])).flat(),
  ];
}

const HEAD = /^---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)/s;
/** Commands in a text that a client runs before a model reads it. */
const RUN = /!`([^`\n]{1,1000})`|```!([^`]{1,4000})```/g;

/** Values of the head of a text, and the rest of it; of skills and commands, which tell of many files,
 * only the commands in it. */
export async function valueOfText(text: string, path: string): Promise<unknown> {
  const [whole = "", head = ""] = HEAD.exec(text) ?? [];
  const value = head.length > MOST.head ? undefined : await headOf(head);
  const rest = value === undefined ? text : text.slice(whole.length);
  if (!MARKED.test(path)) return { value, rest };
  return { value, rest: [...rest.matchAll(RUN)].map(([, line, lines]) => line ?? lines) };
}

/** Values of a head; clients also take one whose texts have marks of YAML without quotes around. */
async function headOf(head: string): Promise<unknown> {
  return await yamlOf(head) ??
    await yamlOf(head.replaceAll(/^([\w-]+):[ \t]+(?!["'|>[{])([^\r\n]+)$/gm, (_, key, text) => {
      return `${key}: ${JSON.stringify(text)}`;
    }));
}

/** Value of a text in YAML; undefined where it cannot be parsed. */
export async function yamlOf(text: string): Promise<unknown> {
  const { load } = await import("js-yaml");
  return attempt((): unknown => load(text, { maxAliases: MOST.aliases }));
}
