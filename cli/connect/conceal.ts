/** Texts of configuration files without the values of secrets, to be shown. */

import { isSecretName, isSecretOption } from "#config";

const PAIR =
  /(?<![\w.-])((["']?)([A-Za-z_][\w.-]*)\2\s*[:=]\s*)("(?:[^"\\]|\\.)*"|'[^']*'|[^\s,{}[\]#][^\n,}\]]*)/g;
const SHOWN = '"•••"';

/** Replaces the values of keys that name a secret, secret options of command lines, secret query
 * parameters, and what follows `Bearer`. References (`${…}`) stay. */
export function conceal(text: string): string {
  return text
    .replace(
      PAIR,
      (whole, key: string, _quote, name: string, value: string) =>
        isSecretName(name) && !isReference(value) ? `${key}${SHOWN}` : whole,
    )
    .replace(
      /((["'])(--?[\w-]+)\2\s*,\s*)(?:"(?:[^"\\]|\\.)*"|'[^']*')/g,
      (whole, lead: string, _quote, option: string) =>
        isSecretOption(option) ? `${lead}${SHOWN}` : whole,
    )
    .replace(
      /(?<![\w-])(--?[\w-]+=)([^"'\s]+)/g,
      (whole, option: string, value: string) =>
        isSecretOption(option.slice(0, -1)) && !isReference(value) ? `${option}•••` : whole,
    )
    .replace(
      /([?&]([\w.-]+)=)([^&"'\s#]+)/g,
      (whole, lead: string, name: string, value: string) =>
        isSecretName(name) && !isReference(value) ? `${lead}•••` : whole,
    )
    .replace(/\b(Bearer|Basic)\s+(?!\$\{)[\w.~+/=-]+/gi, "$1 •••");
}

function isReference(value: string): boolean {
  return /^["']?\$\{[^}]*\}["']?$/.test(value);
}
