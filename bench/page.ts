/** First byte of each page, with a thousand runs and fifty servers behind it. */

import { makePlace, startBenchGateway } from "./gateway.ts";
import { repeat, summarize, time } from "./measure.ts";
import type { Row } from "./table.ts";

const SERVERS = 48;
const RUNS = 1_000;
const AT_ONCE = 20;
const VISITS = 50;
const WARM_UP = 5;

/** Measures the time from a request to the head of its response, on a connection that is open. */
export async function measurePage(): Promise<Row[]> {
  const broken = Object.fromEntries(
    Array.from(
      { length: SERVERS },
      (_, index) => [`server${index}`, { command: "/nonexistent/x" }],
    ),
  );
  await using place = await makePlace(broken);
  await using gateway = await startBenchGateway(place);
  const { url, token } = gateway;
  const headers = { authorization: `Bearer ${token}`, accept: "text/html" };
  const bodies: Promise<unknown>[] = [];
  const visit = (path: string) =>
    time(async () => {
      const response = await fetch(url + path, { headers });
      if (!response.ok) throw new Error(`Cannot visit ${path}: ${response.status}`);
      bodies.push(response.text());
    });
  const first = await visit("/");
  for (let from = 0; from < RUNS; from += AT_ONCE) {
    // Most end in a syntax error, before they need a process.
    const some = Array.from({ length: AT_ONCE }, (_, index) => {
      return gateway.answer(index === 0 ? 'everything.echo(message="hi")' : `${from + index} +`);
    });
    await Promise.all(some);
  }
  const [run] = /\/runs\/r_[\w-]+/.exec(await (await fetch(`${url}/runs`, { headers })).text()) ??
    [];
  const rows: Row[] = [{ what: "the first page of all", unit: "ms", ...summarize([first]) }];
  const paths = ["/", "/runs", run ?? "/runs", "/servers", "/servers/everything"];
  for (const path of [...paths, "/tools?q=file", "/tools?tool=everything__echo", "/stats"]) {
    const times = await repeat(() => visit(path), { runs: VISITS, warmUp: WARM_UP });
    await Promise.all(bodies.splice(0));
    const what = path === run ? "/runs/:id" : path;
    rows.push({ what, unit: "ms", ...summarize(times) });
  }
  return rows;
}
