/** The one function of the package that is used. */
export function gfm(service: object): void;
