import assert from "node:assert/strict";
import { logPlaces } from "../../telemetry/options.ts";
import { tracesWanted } from "../../telemetry/otel.ts";

const SETTINGS = {
  level: "info",
  stderrLevel: "warning",
  file: null,
  format: "auto",
  maxBytes: 1,
  files: 1,
} as const;
const STDERR = { isTerminal: true, write: () => Promise.resolve() };

function places(given: Partial<Parameters<typeof logPlaces>[0]>) {
  const options = { settings: SETTINGS, env: {}, shared: true, verbose: false, stderr: STDERR };
  const { stderr, file, unknown } = logPlaces({ ...options, ...given });
  return [
    stderr && `${stderr.level} ${stderr.format}`,
    file && `${file.level} ${file.path}`,
    unknown,
  ];
}

Deno.test("logPlaces() takes configuration, environment and command line together", () => {
  assert.deepEqual(places({}), [undefined, undefined, undefined]);
  assert.deepEqual(places({ verbose: true }), ["debug colour", undefined, undefined]);
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
  assert.deepEqual(places({ settings }), ["error colour", "error /own", undefined]);
  assert.deepEqual(places({ settings, shared: false }), [undefined, "error /own", undefined]);
});

Deno.test("tracesWanted() reads the standard variables", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  assert.equal(tracesWanted({}), undefined);
  assert.equal(tracesWanted({ OTEL_SERVICE_NAME: "x" }), undefined);
  assert.deepEqual(tracesWanted(endpoint), { protocol: "http/protobuf" });
  assert.deepEqual(tracesWanted({ OTEL_TRACES_EXPORTER: "otlp" }), { protocol: "http/protobuf" });
  assert.equal(tracesWanted({ ...endpoint, OTEL_SDK_DISABLED: "TRUE" }), undefined);
  assert.equal(tracesWanted({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }), undefined);
  assert.match(String(tracesWanted({ OTEL_TRACES_EXPORTER: "zipkin" })), /known are otlp, none$/);
  assert.match(
    String(tracesWanted({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })),
    /"grpc": known are/,
  );
  assert.deepEqual(
    tracesWanted({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" }),
    { protocol: "http/json" },
  );
});
