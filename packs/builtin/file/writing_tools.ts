/** The tools of the `file` pack that change something. */

import * as p from "../kit/params.ts";
import { type BuiltinTool, defineTool } from "../kit/mod.ts";
import { APPEND, EDIT, PAIR, WRITE } from "./params.ts";
import {
  APPENDED,
  COPIED,
  DELETED,
  EDITED,
  FOLDER_RESULT,
  MOVED,
  WRITE_RESULT,
} from "./schemas.ts";
import type { WriteDeps } from "./write.ts";

/** Makes the tools. */
export function writingTools(deps: WriteDeps): BuiltinTool[] {
  return [...textTools(deps), editTool(deps), ...pairTools(deps), ...entryTools(deps)];
}

const load = () => import("./write.ts");
const loadTransfer = () => import("./transfer.ts");

function textTools(deps: WriteDeps): BuiltinTool[] {
  const { locks } = deps;
  return [
    defineTool({
      name: "write",
      description: "Writes a whole file as UTF-8, and the folders above it\n" +
        "It appears at once and keeps its mode; what was there is kept as a backup.",
      params: WRITE,
      returns: WRITE_RESULT,
      examples: ['file.write(path="notes.md", text="# Notes\\n")'],
      effect: "destroy",
      idempotent: true,
      run: (args, { signal, run }) =>
        locks.beside(async () => (await load()).write(args, { ...deps, signal, run }), signal),
    }),
    defineTool({
      name: "append",
      description: "Adds a text to the end of a file, which is made where there is none",
      params: APPEND,
      returns: APPENDED,
      examples: ['file.append(path="notes.md", text="- one\\n")'],
      effect: "write",
      run: (args, { signal, run }) =>
        locks.beside(async () => (await load()).append(args, { ...deps, signal, run }), signal),
    }),
  ];
}

function editTool(deps: WriteDeps): BuiltinTool {
  return defineTool({
    name: "edit",
    description: "Replaces a text in a file: it must be there exactly, and once unless all\n" +
      "Encoding, line ends and mode stay; what was there is kept as a backup.",
    params: EDIT,
    returns: EDITED,
    examples: ['file.edit(path="notes.md", old="- one", new="- two", dry_run=True).diff'],
    effect: "destroy",
    run: (args, { signal, run }) =>
      deps.locks.beside(async () => (await load()).edit(args, { ...deps, signal, run }), signal),
  });
}

function pairTools(deps: WriteDeps): BuiltinTool[] {
  const { locks } = deps;
  return [
    defineTool({
      name: "copy",
      description: "Copies a file, or a folder with what it holds but for links",
      params: PAIR,
      returns: COPIED,
      examples: ['file.copy(from="notes.md", to="old/notes.md")'],
      effect: "destroy",
      run: (args, { signal, run }) =>
        locks.beside(
          async () => (await loadTransfer()).copy(args, { ...deps, signal, run }),
          signal,
        ),
    }),
    defineTool({
      name: "move",
      description: "Moves or renames a file, or a folder without links",
      params: PAIR,
      returns: MOVED,
      examples: ['file.move(from="old/notes.md", to="old/n.md")'],
      effect: "destroy",
      // A write could put a closed name into the folder after the search for them.
      run: (args, caller) =>
        locks.alone(
          async (signal) => (await loadTransfer()).move(args, { ...deps, ...caller, signal }),
          caller,
        ),
    }),
  ];
}

function entryTools(deps: WriteDeps): BuiltinTool[] {
  const { locks } = deps;
  return [
    defineTool({
      name: "delete",
      description: "Deletes a file, a link or a folder; it is kept as a backup for some days",
      params: {
        path: p.path("What, relative to the project", { examples: ["old"] }),
        recursive: p.flag("Also a folder that is not empty"),
      },
      returns: DELETED,
      examples: ['file.delete(path="old", recursive=True).backup'],
      effect: "destroy",
      run: (args, { signal, run }) =>
        locks.beside(
          async () => (await loadTransfer()).remove(args, { ...deps, signal, run }),
          signal,
        ),
    }),
    defineTool({
      name: "make_folder",
      description: "Makes a folder, and those above it",
      params: { path: p.path("The folder, relative to the project", { examples: ["docs/img"] }) },
      returns: FOLDER_RESULT,
      examples: ['file.make_folder(path="docs/img")'],
      effect: "write",
      idempotent: true,
      run: ({ path }, { signal, run }) =>
        locks.beside(
          async () => (await loadTransfer()).makeFolder(path, { ...deps, signal, run }),
          signal,
        ),
    }),
  ];
}
