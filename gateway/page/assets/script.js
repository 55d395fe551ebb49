// @ts-check
/** Live updates and keys of the page. Everything works without it. */
export {};
