/** OT-24, OT-65: a span and a line of the log for each function, and traces that go on. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { dump } from "js-yaml";
import { cli, type CliOptions } from "../support/cli.ts";
import { openCollector } from "../support/collector.ts";
import { delay } from "../support/gateway.ts";
import { fixture } from "../support/servers.ts";

interface Place extends CliOptions, AsyncDisposable {}

async function place(config: unknown, env: Record<string, string>): Promise<Place> {
  const home = await Deno.makeTempDir({ prefix: "toolscript-home-" });
  const cwd = join(home, "project");
  await Deno.mkdir(join(cwd, ".onetool"), { recursive: true });
  await Deno.writeTextFile(join(cwd, ".onetool", "onetool.yaml"), dump(config));
  await Deno.writeTextFile(join(cwd, ".onetool", "secrets.yaml"), "KEY: yaml-secret-value\n");
  return {
    home,
    cwd,
    env,
    [Symbol.asyncDispose]: () => Deno.remove(home, { recursive: true }),
  };
}

interface Running extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  post(path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
}

async function startDetached(options: Place): Promise<Running> {
  const started = await cli(["gateway", "start", "--detach"], options);
  assert.equal(started.code, 0, started.stderr);
  const folder = join(options.home, ".onetool", "run");
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".json")) continue;
    const { url, token } = JSON.parse(await Deno.readTextFile(join(folder, name)));
    return {
      url,
      token,
      post: (path, body, headers = {}) =>
        fetch(`${url}${path}`, {
          method: "POST",
          headers: {
            "authorization": `Bearer ${token}`,
            "content-type": "application/json",
            ...headers,
          },
          body: JSON.stringify(body),
        }),
      [Symbol.asyncDispose]: async () => void await cli(["gateway", "stop"], options),
    };
  }
  throw new Error("The gateway has no run file");
}

async function logLines(file: string): Promise<Record<string, unknown>[]> {
  const text = await Deno.readTextFile(file).catch(() => "");
  return text.trimEnd().split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

async function untilLogged(
  file: string,
  fits: (line: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  for (let tries = 0; tries < 600; tries++) {
    const line = (await logLines(file)).find(fits);
    if (line) return line;
    await delay(50);
  }
  throw new Error(`No such line in ${await Deno.readTextFile(file)}`);
}

const TRACE = "0af7651916cd43dd8448eb211c80319c";
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

function otelEnv(endpoint: string, service: string): Record<string, string> {
  return {
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "x-team=tools",
    OTEL_SERVICE_NAME: service,
    OTEL_BSP_SCHEDULE_DELAY: "50",
  };
}

Deno.test("OT-24 OT-65 a detached gateway logs and exports a span for each function", async (t) => {
  await using collector = openCollector();
  const { command, args } = fixture("good");
  const servers = { fixture: { command, args, env: { API_TOKEN: "config-secret-value" } } };
  const snippets = { hi: { body: "ot.version()" } };
  await using options = await place({ servers, snippets }, otelEnv(collector.url, "outer"));
  const file = join(options.home, ".onetool", "run", "gateway.log");
  await using gateway = await startDetached(options);
  const run = async (command: string, headers = {}) =>
    await (await gateway.post("/run", { command }, headers)).json();

  await t.step("OT-24 a span is named after its function, and belongs to its run", async () => {
    const reply = await run("ot.tools(info='list')", { traceparent: TRACEPARENT });
    assert.ok(reply.ok, reply.text);
    const line = await untilLogged(file, ({ span }) => span === "ot.tools");
    assert.equal(line.outcome, "ok");
    assert.equal(line.run, reply.run);
    assert.equal(typeof line.ms, "number");
    assert.ok(Date.parse(String(line["@timestamp"])) > 0);
    const call = await untilLogged(
      file,
      ({ span, run }) => span === "tool.call" && run === reply.run,
    );
    assert.equal(call.tool, "ot.tools");

    const root = await collector.until(({ name }) => name === "run");
    const spans = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const named = (name: string) => spans.find((span) => span.name === name);
    assert.equal(root.parentSpanId, "b7ad6b7169203331");
    assert.equal(root.service, "outer");
    assert.equal(root.headers.get("x-team"), "tools");
    assert.equal(root.attributes["toolscript.run"], reply.run);
    for (const stage of ["parse", "check", "sandbox.lease", "execute", "tool.call"]) {
      assert.equal(named(stage)?.parentSpanId, root.spanId, stage);
    }
    assert.equal(named("ot.tools")?.parentSpanId, named("tool.call")?.spanId);
  });

  await t.step("OT-65 the span of ot.result has its parameters", async () => {
    const reply = await run("ot.result(handle='nope', limit=5, search='a yaml-secret-value b')");
    assert.equal(reply.ok, false);
    const line = await untilLogged(file, ({ span }) => span === "ot.result");
    const { handle, offset, limit, search, outcome } = line;
    assert.deepEqual({ handle, offset, limit, search }, {
      handle: "nope",
      offset: 1,
      limit: 5,
      search: "a [redacted] b",
    });
    assert.notEqual(outcome, "ok");
    const span = await collector.until(({ name }) => name === "ot.result");
    assert.equal(span.failed, true);
    assert.equal(span.attributes["toolscript.search"], "a [redacted] b");
    assert.ok(await collector.until(({ name, failed }) => name === "run" && failed));
  });

  await t.step("a server's connection is a span without its arguments", async () => {
    const reply = await run("fixture.nothing(text='config-secret-value')");
    assert.equal(reply.ok, false);
    const line = await untilLogged(file, ({ span }) => span === "mcp.connect");
    assert.deepEqual([line.server, line.outcome, line.transport], ["fixture", "ok", "stdio"]);
    const call = await gateway.post("/tools/config-secret-value__x", {});
    assert.equal(call.status, 404);
    await call.body?.cancel();
    await untilLogged(file, ({ tool }) => tool === "[redacted]__x");
    const text = await Deno.readTextFile(file);
    for (const hidden of ["config-secret-value", "yaml-secret-value", gateway.token]) {
      assert.ok(!text.includes(hidden), hidden);
    }
  });

  await t.step("a program sees none of the variables", async () => {
    const script = "try { return Deno.env.toObject(); } catch (e) { return String(e); }";
    const reply = await (await gateway.post("/run", { script })).json();
    assert.doesNotMatch(JSON.stringify(reply), /OTEL|x-team/);
    assert.ok(collector.spans.every(({ service }) => service === "outer"));
  });
});

Deno.test("a trace goes on in a server that is reached over HTTP", async () => {
  await using collector = openCollector();
  await using far = await place({}, otelEnv(collector.url, "inner"));
  await using inner = await startDetached(far);
  const seen: string[] = [];
  await using between = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, (request) => {
    const trace = request.headers.get("traceparent");
    if (trace !== null) seen.push(trace);
    const headers = new Headers(request.headers);
    headers.set("host", new URL(inner.url).host);
    return fetch(`${inner.url}/mcp`, { method: request.method, headers, body: request.body });
  });
  const headers = { Authorization: `Bearer ${inner.token}` };
  const url = `http://127.0.0.1:${between.addr.port}/mcp`;
  await using near = await place(
    { servers: { inner: { url, headers } } },
    otelEnv(collector.url, "outer"),
  );
  await using outer = await startDetached(near);
  const reply = await (await outer.post("/run", { command: "inner.run(command='1+1')" })).json();
  assert.equal(reply.ok, true, reply.text);
  const call = await collector.until(({ name, service }) =>
    name === "tool.call" && service === "outer"
  );
  const run = await collector.until(({ name, service }) => name === "run" && service === "inner");
  assert.equal(run.traceId, call.traceId);
  assert.equal(run.parentSpanId, call.spanId);
  assert.ok(seen.includes(`00-${call.traceId}-${call.spanId}-01`), seen.join(", "));
});

Deno.test("a collector that is down or hangs neither fails nor holds up a run or the end", async () => {
  const ended = Promise.withResolvers<Response>();
  await using hanging = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => ended.promise,
  );
  for (const port of [1, hanging.addr.port]) {
    await using options = await place({}, otelEnv(`http://127.0.0.1:${port}`, "x"));
    const { code, stdout, stderr } = await cli(["run", "1+1"], options);
    assert.deepEqual([code, stdout.trim(), stderr], [0, "2", ""]);
  }
  ended.resolve(new Response());
});

Deno.test("spans go out as protobuf where nothing else is said", async () => {
  const received: string[] = [];
  await using collector = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    async (request) => {
      const bytes = new TextDecoder("latin1").decode(await request.bytes());
      received.push(
        `${new URL(request.url).pathname} ${request.headers.get("content-type")}`,
        bytes,
      );
      return new Response();
    },
  );
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${collector.addr.port}`,
    OTEL_RESOURCE_ATTRIBUTES: "deployment.environment=testing",
  };
  await using options = await place({}, env);
  const { code } = await cli(["run", "1+1"], options);
  assert.equal(code, 0);
  assert.equal(received[0], "/v1/traces application/x-protobuf");
  for (const text of ["toolscript.run", "deployment.environment", "service.name"]) {
    assert.ok(received.join("").includes(text), text);
  }
});

Deno.test("TOOLSCRIPT_LOG shows what a gateway does on stderr", async () => {
  await using options = await place({}, { TOOLSCRIPT_LOG: "info" });
  const { stderr, stdout } = await cli(["run", "1+1"], options);
  assert.equal(stdout.trim(), "2");
  assert.match(stderr, /^\d\d:\d\d:\d\d\.\d{3} \S+ run outcome=ok ms=[\d.]+ run=r_\S+ .*calls=0$/m);
});
