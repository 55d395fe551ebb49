/** Sizes of the folders that sandbox processes have. */

import { attempt } from "#base";

async function sizeOf(path: string): Promise<number> {
  // The folder of a process that has ended is removed meanwhile.
  const { size, isDirectory } = await attempt(() => Deno.lstat(path), {
    size: 0,
    isDirectory: false,
  });
  if (!isDirectory) return size;
  const entries = await attempt(() => Array.fromAsync(Deno.readDir(path)), []);
  const sizes = await Promise.all(entries.map(({ name }) => sizeOf(`${path}/${name}`)));
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** Bytes in the folders of this process's sandboxes. */
async function sizeOfFolders(): Promise<number> {
  const parent = "/dev/shm";
  const names = (await Array.fromAsync(Deno.readDir(parent))).map(({ name }) => name);
  const own = names.filter((name) => name.startsWith(`toolscript-${Deno.pid}-`));
  const sizes = await Promise.all(own.map((name) => sizeOf(`${parent}/${name}`)));
  return sizes.reduce((sum, each) => sum + each, 0);
}

/** Watches the folders; the returned function ends that, and gives the most bytes in them. */
export function watchSizes(): () => Promise<number> {
  let [isEnded, most] = [false, 0];
  const watched = (async () => {
    while (!isEnded) {
      most = Math.max(most, await sizeOfFolders());
      await new Promise((done) => setTimeout(done, 50));
    }
  })();
  return async () => {
    isEnded = true;
    await watched;
    return most;
  };
}
