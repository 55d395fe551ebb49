import assert from "node:assert/strict";
import { logPlaces } from "../../telemetry/options.ts";
import { readExport } from "../../telemetry/otel_export.ts";

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

Deno.test("readExport() reads the standard variables", () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  assert.equal(readExport({}, "traces"), undefined);
  assert.equal(readExport({ OTEL_SERVICE_NAME: "x" }, "traces"), undefined);
  assert.deepEqual(readExport(endpoint, "traces"), { protocol: "http/protobuf" });
  assert.deepEqual(readExport({ OTEL_TRACES_EXPORTER: "otlp" }, "traces"), {
    protocol: "http/protobuf",
  });
  assert.equal(readExport({ ...endpoint, OTEL_SDK_DISABLED: "TRUE" }, "traces"), undefined);
  assert.equal(readExport({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }, "traces"), undefined);
  assert.match(
    String(readExport({ OTEL_TRACES_EXPORTER: "zipkin" }, "traces")),
    /use otlp or none$/,
  );
  assert.match(
    String(readExport({ ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, "traces")),
    /"grpc": use/,
  );
  assert.deepEqual(
    readExport({ ...endpoint, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" }, "traces"),
    { protocol: "http/json" },
  );
});
