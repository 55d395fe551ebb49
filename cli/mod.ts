/** Door of the command line. */

export type {
  CheckOptions,
  CliIo,
  RunningGateway,
  Sink,
  Source,
  StartGatewayOptions,
} from "./io.ts";
export { openPerson, type Person } from "./person.ts";
export { runCli } from "./run_cli.ts";
export { onReload, onSignal } from "./interruptible.ts";
export { type OpenSink, openSink } from "./sink.ts";
export { trustText } from "./trust/show.ts";
