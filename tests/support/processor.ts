/** What this process takes of the processor. */

/** Processor time so far, threads included, milliseconds; Linux only. */
export function processorMs(): number {
  const fields = Deno.readTextFileSync("/proc/self/stat").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}
