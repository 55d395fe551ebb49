/** The second wall: Landlock of Linux, which what Deno reads by itself does not pass either. */

import { attempt, findProgram } from "#base";

/** Puts the process behind the wall and becomes another program. The words are `r:` or `w:` with a path,
 * for what may be read or changed, then `--` and the program. No other common program of a system calls
 * the kernel by number; needs `no_new_privs` (landlock(7), ABI 1). */
const SCRIPT = `
my ($create, $add, $restrict) = (444, 445, 446);
my $abi = syscall $create, 0, 0, 1;
my $all = 0x1fff;
$all |= 0x2000 if $abi >= 2;
$all |= 0x4000 if $abi >= 3;
$all |= 0x8000 if $abi >= 5;
my ($read, $of_files) = (0x000d, 0xc007);
my $attributes = pack "Q", $all;
my $rules = syscall $create, $attributes, 8, 0;
exit 126 if $rules < 0;
while (($_ = shift) ne "--") {
  my ($kind, $path) = /^([rw]):(.*)/s or exit 126;
  sysopen my $at, $path, 0x200000 or next;
  my $allowed = $kind eq "w" ? $all : $read;
  $allowed &= $of_files unless -d $at;
  my $rule = pack "QL", $allowed & $all, fileno $at;
  exit 126 if syscall($add, $rules, 1, $rule, 0) != 0;
}
exit 126 if syscall($restrict, $rules, 0) != 0;
exec { $ARGV[0] } @ARGV;
`;
/** Ends with 0 where the kernel has the wall, and this Perl has numbers of 64 bits. */
const IS_THERE = 'exit(length(pack "Q", 1) != 8 || syscall(444, 0, 0, 1) < 1)';

/** Paths that every process reads as it starts and works: times, random numbers, its memory, limits of its
 * container. Nothing in them is of a person. */
const COMMON = [
  "r:/etc/ld.so.cache",
  "r:/etc/localtime",
  "r:/usr/share/zoneinfo",
  "r:/dev/urandom",
  "r:/dev/random",
  "w:/dev/null",
  "r:/proc/self/maps",
  "r:/proc/self/statm",
  "r:/proc/self/cgroup",
  "r:/proc/meminfo",
  "r:/proc/cpuinfo",
  "r:/sys/fs/cgroup",
];

/** Perl where this system has the wall; undefined elsewhere. Asked once: the kernel does not change. */
export const findLandlock = once((): string | undefined => {
  if (Deno.build.os !== "linux") return undefined;
  const perl = findProgram("perl");
  if (perl === undefined) return undefined;
  const test = new Deno.Command(perl, { args: ["-e", IS_THERE], stdin: "null", clearEnv: true });
  return attempt(() => test.outputSync())?.success ? perl : undefined;
});

/** Command line that runs `command` with its own folder, its program and its libraries alone. */
export function behindLandlock(perl: string, command: readonly string[], folder: string): string[] {
  const files = [...command.slice(0, 1), ...libraries()];
  const rules = [...COMMON, `w:${folder}`, ...files.map((path) => `r:${path}`)];
  return [perl, "-e", SCRIPT, ...rules, "--", ...command];
}

/** Libraries of Deno: the code that this process has, as it is Deno, too. */
const libraries = once((): readonly string[] => {
  const maps = attempt(() => Deno.readTextFileSync("/proc/self/maps"), "");
  return [...new Set(maps.split("\n").flatMap((line) => CODE.exec(line)?.[1] ?? []))];
});

const CODE = /^\S+ \S*x\S* .*?(\/.*)$/;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
