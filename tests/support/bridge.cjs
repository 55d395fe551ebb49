// `toolscript mcp` as the npm package starts it, over this tree: FILE [OPTION…], where the file has the
// command of Deno and the facts of the package.
"use strict";
const { bridge } = require("../../npm/bridge/bridge.cjs");

const [file, ...options] = process.argv.slice(2);
const { command, args, facts } = require(file);
const env = { ...process.env, TOOLSCRIPT_STARTER: String(process.pid) };
bridge({ command, args, options, env }, facts);
