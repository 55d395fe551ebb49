/** Processor time, which work of others on the machine does not lengthen. */

import { threadCpuUsage } from "node:process";

/** Time that this thread has had the processor, in milliseconds; it may advance by 16 at once. */
export function processorMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
}
