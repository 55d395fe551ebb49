/** Door of the command line. */

export type { CheckOptions, CliIo, RunningGateway, Source, StartGatewayOptions } from "./io.ts";
export { openPerson, type Person } from "./terminal/person.ts";
export { runCli } from "./run_cli.ts";
export { onReload, onSignal, onUncaught } from "./interruptible.ts";
export { createScreen } from "./terminal/screen.ts";
export { type OpenSink, openSink, type Sink } from "./terminal/sink.ts";
export { trustPrompt, trustQuestion } from "./trust/show.ts";
