/** The `brave` pack against a stand-in that speaks the Brave Search API. */

import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "#base";
import { type Serve, withBuiltinPack, withServer } from "../../../support/builtin_pack.ts";

const KEY = "BSA-secret-key";

function answers(path: string, query: URLSearchParams): JsonValue | undefined {
  const q = query.get("q") ?? "";
  switch (path) {
    case "/web/search":
      if (query.get("summary") !== null) {
        return q === "chat"
          ? { type: "search" }
          : { summarizer: { type: "summarizer", key: `{"query":"${q}"}` } };
      }
      if (query.get("result_filter") === "locations") {
        return q === "nowhere"
          ? {}
          : { locations: { type: "locations", results: [{ id: "1" }, { id: "2" }] } };
      }
      return {
        type: "search",
        query: {
          original: q,
          altered: q === "denno" ? "deno" : undefined,
          more_results_available: true,
        },
        web: {
          type: "search",
          results: [{
            title: `About <strong>${q}</strong>`,
            url: "https://example.com/a",
            description: "It&#x27;s &amp; will be",
            meta_url: { hostname: "example.com" },
            age: "2 days ago",
            extra_snippets: ["more"],
          }],
        },
        news: { results: [{ title: "News", url: "https://n.example", description: "" }] },
      } as JsonObject;
    case "/news/search":
      return { results: [{ title: "N", url: "https://n", description: "d", age: "1h" }] };
    case "/videos/search":
      return {
        results: [{
          title: "V",
          url: "https://v",
          description: "d",
          video: { duration: "01:00", views: 7 },
        }],
      };
    case "/images/search":
      return {
        results: [{
          title: "I",
          url: "https://page",
          source: "s",
          thumbnail: { src: "https://t" },
          properties: { url: "https://i", width: 3 },
        }],
      };
    case "/local/pois":
      return {
        results: query.getAll("ids").map((id) => ({
          id,
          title: `Café ${id}`,
          postal_address: { displayAddress: "Street 1" },
          rating: { ratingValue: 4.5, reviewCount: 9 },
          opening_hours: { current_day: [{ opens: "08:00", closes: "17:00" }] },
        })),
      };
    case "/local/descriptions":
      return { results: [{ id: "2", description: "Good tea" }] };
    case "/summarizer/search":
      return {
        status: "complete",
        title: "T",
        summary: [{ type: "token", data: "K2 is " }, { type: "token", data: "second." }],
        enrichments: { context: [{ title: "Src", url: "https://s" }] },
        followups: ["And third?"],
      };
    case "/llm/context":
      return {
        grounding: { generic: [{ url: "https://c", title: "C", snippets: ["one", "two"] }] },
        sources: {},
      };
    default:
      return undefined;
  }
}

interface Stage {
  readonly requests: URL[];
  call(tool: string, args: JsonObject): Promise<JsonValue>;
}

async function withBrave(work: (stage: Stage) => Promise<void>, first?: Serve): Promise<void> {
  const requests: URL[] = [];
  const serve: Serve = (request, path) => {
    const url = new URL(request.url);
    requests.push(url);
    if (request.headers.get("x-subscription-token") !== KEY) {
      return new Response("", { status: 401 });
    }
    const answer = first?.(request, path);
    if (answer) return answer;
    const value = answers(path, url.searchParams);
    return value === undefined ? new Response("", { status: 404 }) : Response.json(value);
  };
  await withServer(serve, async (origin) => {
    const settings = { api_key: KEY, base_url: origin, timeout: 5, country: "de", concurrent: 2 };
    await withBuiltinPack({ name: "brave", settings }, ({ call }) => work({ requests, call }));
  });
}

Deno.test("brave.web_search sends the API's parameters and returns reduced results", async () => {
  await withBrave(async ({ call, requests }) => {
    const result = await call("web_search", {
      query: "denno",
      count: 3,
      result_filter: ["web", "news"],
    });
    assert.deepEqual(result, {
      query: "deno",
      results: [{
        title: "About denno",
        url: "https://example.com/a",
        description: "It's & will be",
        age: "2 days ago",
        source: "example.com",
        extra_snippets: ["more"],
      }],
      news: [{ title: "News", url: "https://n.example", description: "" }],
      more: true,
    });
    const { q, count, country, result_filter, text_decorations } = Object.fromEntries(
      requests[0]?.searchParams ?? [],
    );
    assert.deepEqual(
      { q, count, country, result_filter, text_decorations },
      {
        q: "denno",
        count: "3",
        country: "DE",
        result_filter: "query,web,news",
        text_decorations: "false",
      },
    );
  });
});

Deno.test("the other searches of brave", async (t) => {
  const rows: readonly [string, JsonObject, JsonValue][] = [
    ["news_search", {}, [{ title: "N", url: "https://n", description: "d", age: "1h" }]],
    ["video_search", {}, [{
      title: "V",
      url: "https://v",
      description: "d",
      duration: "01:00",
      views: 7,
    }]],
    ["image_search", {}, [{
      title: "I",
      url: "https://i",
      page: "https://page",
      source: "s",
      thumbnail: "https://t",
      width: 3,
    }]],
    [
      "local_search",
      { count: 2 },
      ["1", "2"].map((id) => ({
        name: `Café ${id}`,
        address: "Street 1",
        rating: 4.5,
        reviews: 9,
        today: ["08:00-17:00"],
        ...(id === "2" ? { description: "Good tea" } : {}),
      })),
    ],
    ["local_search", { query: "nowhere" }, []],
    ["summarize", {}, {
      title: "T",
      text: "K2 is second.",
      sources: [{ title: "Src", url: "https://s" }],
      followups: ["And third?"],
    }],
    ["context", {}, [{ title: "C", url: "https://c", snippets: ["one", "two"] }]],
  ];
  await withBrave(async ({ call }) => {
    for (const [tool, args, expected] of rows) {
      await t.step(
        tool,
        async () => assert.deepEqual(await call(tool, { query: "tea", ...args }), expected),
      );
    }
    await assert.rejects(call("summarize", { query: "chat" }), {
      message: /has no summary: .*web_search/,
    });
  });
});

Deno.test("brave waits for a short rate limit and reports all other problems", async (t) => {
  const limit = {
    "x-ratelimit-limit": "1, 2000",
    "x-ratelimit-remaining": "0, 5",
    "x-ratelimit-reset": "1, 1000000",
  };
  let refusals = 1;
  const first: Serve = async (request) => {
    const q = new URL(request.url).searchParams.get("q");
    if (q === "often" && refusals-- > 0) return Response.json({}, { status: 429, headers: limit });
    if (q === "spent") {
      return Response.json({ error: { detail: "Quota\nspent" } }, {
        status: 429,
        headers: { ...limit, "x-ratelimit-remaining": "1, 0" },
      });
    }
    if (q === "key") {
      return Response.json(
        { error: { code: "SUBSCRIPTION_TOKEN_INVALID", detail: `Not ${KEY}` } },
        { status: 403 },
      );
    }
    if (q === "wrong") return Response.json({ error: { detail: "Bad country" } }, { status: 422 });
    if (q === "broken") return new Response("<html>", { status: 200 });
    if (q === "down") return new Response("", { status: 502 });
    if (q === "moved") {
      return new Response("", { status: 302, headers: { location: "http://127.0.0.1:1/" } });
    }
    if (q === "slow") await new Promise((resolve) => setTimeout(resolve, 6_000));
    return undefined as never;
  };
  const rows: readonly [string, JsonObject & { message: never }][] = [
    ["spent", {
      retryable: true,
      message: /too many requests \(Quota spent\): try again after 1000000 s/ as never,
    }],
    ["key", {
      retryable: false,
      message: /does not take the key \(Not …\): look at packs\.brave\.api_key/ as never,
    }],
    ["wrong", { retryable: false, message: /answered 422 \(Bad country\)/ as never }],
    ["broken", { retryable: true, message: /did not answer with JSON/ as never }],
    ["down", { retryable: true, message: /answered 502/ as never }],
    ["moved", { retryable: false, message: /answered 302/ as never }],
    ["slow", {
      code: "timeout",
      message: /within 5 s: try again, or set packs\.brave\.timeout/ as never,
    }],
  ];
  const serve: Serve = (request, path) => {
    const answer = first(request, path) as Promise<Response>;
    return answer.then((json) =>
      json ?? Response.json(answers(path, new URL(request.url).searchParams) ?? {})
    );
  };
  await withBrave(async ({ call, requests }) => {
    await call("web_search", { query: "often" });
    assert.equal(requests.length, 2);
    for (const [query, expected] of rows) {
      await t.step(query, async () => {
        await assert.rejects(call("web_search", { query }), expected);
      });
    }
    await t.step("one of a batch", async () => {
      const result = await call("batch", { queries: ["tea", "down", "milk"] }) as JsonObject[];
      assert.deepEqual(result.map(({ query }) => query), ["tea", "down", "milk"]);
      assert.match(String(result[1]?.error), /answered 502/);
      assert.equal(result[2]?.error, null);
    });
  }, serve);
});

Deno.test("brave is off without a key", async () => {
  await withBuiltinPack({ name: "brave" }, ({ pack }) => {
    assert.deepEqual(pack.tools(), []);
    assert.equal(pack.status().state, "disabled");
    assert.match(pack.problem?.() ?? "", /packs\.brave\.api_key/);
    return Promise.resolve();
  });
});
