/** Table of the commands about sign-ins. */

import type { CommandSpec, OptionSpec } from "../command_spec.ts";

const ACCOUNT: OptionSpec = { value: "A", about: "Account of the server; the first by default" };

/** Commands of sign-ins. */
export const AUTH_COMMANDS: readonly CommandSpec[] = [
  {
    name: "auth login",
    operands: "SERVER",
    about: "Sign in to a server",
    most: 1,
    options: {
      account: ACCOUNT,
      "no-browser": { about: "Print the address, for a browser of your own" },
      paste: { about: "Read the address that the browser ends at from stdin" },
      device: { about: "Show an address and a code, for another device" },
    },
    load: ["./auth/login.ts", "login"],
  },
  {
    name: "auth status",
    about: "Show the sign-ins at the servers of the config",
    load: ["./auth/status.ts", "status"],
  },
  {
    name: "auth logout",
    operands: "SERVER",
    about: "Revoke a sign-in, and forget it",
    most: 1,
    options: { account: ACCOUNT },
    load: ["./auth/logout.ts", "logout"],
  },
  {
    name: "auth header",
    operands: "SERVER",
    about: "Print a fresh token as a header in JSON, for other programs",
    most: 1,
    options: { account: ACCOUNT },
    load: ["./auth/header.ts", "header"],
  },
  {
    name: "auth export",
    operands: "SERVER",
    about: "Print a sign-in, encrypted under TOOLSCRIPT_PASSPHRASE",
    most: 1,
    options: { account: ACCOUNT },
    load: ["./auth/transfer.ts", "exportSignIn"],
  },
  {
    name: "auth import",
    about: "Store the sign-in that stdin brings",
    load: ["./auth/transfer.ts", "importSignIn"],
  },
];

/** Command that this program calls itself; no help lists it. */
export const AUTH_RENEW: CommandSpec = {
  name: "auth renew",
  about: "Renew a token for another process",
  load: ["./auth/renew.ts", "renew"],
};
