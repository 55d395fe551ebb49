/** Type of the only function that is used. */
export function gfm(service: object): void;
