import assert from "node:assert/strict";
import { logPlaces } from "../../telemetry/options.ts";
import { readTraceExport } from "../../telemetry/otel.ts";

const SETTINGS = {
  level: "info",
  stderrLevel: "warning",
  file: null,
  format: "auto",
  maxBytes: 1,
  files: 1,
} as const;
const STDERR = { isTerminal: true, write: () => Promise.resolve() };

function places(changes: Partial<Parameters<typeof logPlaces>[0]>) {
  const options = { settings: SETTINGS, env: {}, shared: true, verbose: false, stderr: STDERR };
  const { stderr, file, unknown } = logPlaces({ ...options, ...changes });
  return [
    stderr && `${stderr.level} ${stderr.format}`,
    file && `${file.level} ${file.path}`,
    unknown,
  ];
}

Deno.test("logPlaces() combines configuration, environment and command line", () => {
  assert.deepEqual(places({}), [undefined, undefined, undefined]);
  assert.deepEqual(places({ verbose: true }), ["debug color", undefined, undefined]);
  assert.deepEqual(
    places({ verbose: true, env: { TOOLSCRIPT_LOG: "Info", NO_COLOR: "1" } }),
    ["info text", undefined, undefined],
  );
  assert.deepEqual(places({ env: { TOOLSCRIPT_LOG: "loud" } }), [undefined, undefined, "loud"]);
  assert.deepEqual(
    places({ env: { TOOLSCRIPT_LOG_FILE: "/l" } }),
    ["off text", "info /l", undefined],
  );
  const settings = { ...SETTINGS, level: "error", stderrLevel: "error", file: "/own" } as const;
  assert.deepEqual(places({ settings }), ["error color", "error /own", undefined]);
  assert.deepEqual(places({ settings, shared: false }), [undefined, "error /own", undefined]);
});

Deno.test("readTraceExport() reads the standard variables", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  assert.equal(readTraceExport({}), undefined);
  assert.equal(readTraceExport({ OTEL_SERVICE_NAME: "x" }), undefined);
  assert.deepEqual(readTraceExport(endpoint), { protocol: "http/protobuf" });
  assert.deepEqual(readTraceExport({ OTEL_TRACES_EXPORTER: "otlp" }), {
    protocol: "http/protobuf",
  });
  assert.equal(readTraceExport({ ...endpoint, OTEL_SDK_DISABLED: "TRUE" }), undefined);
  assert.equal(readTraceExport({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }), undefined);
  assert.match(String(readTraceExport({ OTEL_TRACES_EXPORTER: "zipkin" })), /use otlp or none$/);
  assert.match(
    String(readTraceExport({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })),
    /"grpc": use/,
  );
  assert.deepEqual(
    readTraceExport({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" }),
    { protocol: "http/json" },
  );
});
