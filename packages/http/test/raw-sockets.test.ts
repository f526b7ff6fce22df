import { connect } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { type House, openHouse } from "./harness.ts";
import { rawRequest } from "./raw-request.ts";

// reliability.md, M14 and threats 39, 40, 43 and 44: nothing that comes over a socket ends the process or yields a 5xx
let house: House;
let key: string;
beforeAll(async () => {
  house = await openHouse(() => openTestSqlite());
  key = await house.makeKey();
});
afterAll(() => house.close());
afterEach(async () => {
  expect((await fetch(`${house.url}/healthz`)).status).toBe(200);
});

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);
const head = (line: string, headers: Record<string, string> = {}): string =>
  [
    line,
    ...Object.entries({ Host: "a", Connection: "close", ...headers }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ].join("\r\n") + "\r\n\r\n";
const asOwner = () => ({
  Authorization: `Bearer ${house.owner.token}`,
  "X-Service-Workspace-Id": String(house.workspace),
});
/** Posts a body in latin1. */
const post = (path: string, body: string, headers: Record<string, string> = {}): Promise<string> =>
  rawRequest(
    house.port,
    head(`POST /api/v1${path} HTTP/1.1`, {
      "Content-Type": "application/json",
      "Content-Length": String(body.length),
      ...headers,
    }) + body,
  );

describe("malformed requests", () => {
  test.each([
    ["a line of garbage", "\x16\x03\x01\x02\x00\x01\r\n\r\n"],
    ["no version", "GET /\r\n\r\n"],
    ["another version", "GET / HTTP/9.9\r\n\r\n"],
    ["no host", "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n"],
    ["a NUL in the path", head("GET /api/v1/users\0/me HTTP/1.1")],
    ["a NUL in a header", head("GET /healthz HTTP/1.1", { "X-A": "a\0b" })],
    ["a bare line feed", "GET /healthz HTTP/1.1\nHost: a\n\n"],
    ["a header without a name", "GET /healthz HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n"],
    ["a folded header", "GET /healthz HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\nConnection: close\r\n\r\n"],
    ["CONNECT", head("CONNECT 127.0.0.1:25 HTTP/1.1")],
    ["TRACE", head("TRACE /api/v1/users/me HTTP/1.1")],
    ["an unknown method", head("BREW /api/v1/users/me HTTP/1.1")],
    ["the absolute form", head("GET http://evil.example/api/v1/users/me HTTP/1.1")],
    ["two slashes", head("GET // HTTP/1.1")],
    ["two slashes and a host", head("GET //evil.example/api/v1/users/me HTTP/1.1")],
    ["a percent sign", head("GET /% HTTP/1.1")],
    ["an asterisk", head("OPTIONS * HTTP/1.1")],
    ["dots", head("GET /api/v1/../../etc/passwd HTTP/1.1")],
    ["encoded dots", head("GET /api/v1/%2e%2e/%2e%2e/etc/passwd HTTP/1.1")],
    [
      "an upgrade",
      head("GET /api/v1/users/me HTTP/1.1", { Connection: "Upgrade, close", Upgrade: "websocket" }),
    ],
    ["an expectation", head("GET /healthz HTTP/1.1", { Expect: "miracles" })],
    ["a path of 60 KiB", head(`GET /${"a".repeat(60_000)} HTTP/1.1`)],
    ["a header of 60 KiB", head("GET /healthz HTTP/1.1", { "X-A": "a".repeat(60_000) })],
    [
      "two lengths",
      `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
    ],
    [
      "a length and chunks",
      head("POST /api/v1/auth/login HTTP/1.1", { "Content-Length": "2", "Transfer-Encoding": "chunked" }),
    ],
    ["a negative length", head("POST /api/v1/auth/login HTTP/1.1", { "Content-Length": "-1" })],
    [
      "chunks that are none",
      `${head("POST /api/v1/auth/login HTTP/1.1", { "Transfer-Encoding": "chunked", "Content-Type": "application/json" })}zz\r\n{}\r\n0\r\n\r\n`,
    ],
    [
      "a chunk past 2^64",
      `${head("POST /api/v1/auth/login HTTP/1.1", { "Transfer-Encoding": "chunked", "Content-Type": "application/json" })}fffffffffffffffff\r\n{}`,
    ],
  ])("%s: no 5xx, and the server stays up", async (_, bytes) => {
    const answer = await rawRequest(house.port, bytes);
    // No response is valid, too: the connection was closed.
    if (answer !== "") expect(statusOf(answer)).toBeLessThan(500);
    expect(answer).not.toMatch(/root:|\bat .*\.[tj]s:\d/);
  });

  test("ten thousand headers: refused, and the server stays up", async () => {
    const many = Array.from({ length: 10_000 }, (_, at) => `X-${at}: a`).join("\r\n");
    const answer = await rawRequest(
      house.port,
      `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${many}\r\n\r\n`,
    );
    expect(statusOf(answer)).toBe(431);
  });

  test("a connection that breaks off in the middle of a body: the server stays up", async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(house.port, "127.0.0.1", () => {
        socket.write(
          head("POST /api/v1/auth/login HTTP/1.1", {
            "Content-Type": "application/json",
            "Content-Length": "1000",
          }),
        );
        socket.write('{"email":', () => socket.resetAndDestroy());
      });
      socket.on("close", () => resolve());
      socket.on("error", () => {});
    });
    expect(statusOf(await rawRequest(house.port, head("GET /healthz HTTP/1.1")))).toBe(200);
  });

  test("pipelined requests are answered in order", async () => {
    const request = "GET /api/v1/users/me HTTP/1.1\r\nHost: a\r\n";
    const answer = await rawRequest(
      house.port,
      `${request}X-Request-Id: one\r\n\r\n${request}X-Request-Id: two\r\nConnection: close\r\n\r\n`,
    );
    expect([...answer.matchAll(/x-request-id: (\w+)/gi)].map(([, id]) => id)).toEqual(["one", "two"]);
  });
});

describe("repeated headers are refused, even if one is valid", () => {
  const twice = (name: string, first: string, second: string, more: Record<string, string>) =>
    rawRequest(
      house.port,
      `GET /api/v1/workspaces/current HTTP/1.1\r\n${name}: ${first}\r\n${name}: ${second}\r\n${Object.entries(
        { Host: "a", Connection: "close", ...more },
      )
        .map(([key, value]) => `${key}: ${value}\r\n`)
        .join("")}\r\n`,
    );

  test("Authorization", async () => {
    const { Authorization: good, ...workspace } = asOwner();
    for (const [first, second] of [
      [good, "Bearer x"],
      ["Bearer x", good],
      [good, good],
    ] as const)
      expect(statusOf(await twice("Authorization", first, second, workspace))).toBe(400);
  });

  test("X-Service-Workspace-Id", async () => {
    const { Authorization } = asOwner();
    const id = String(house.workspace);
    expect(statusOf(await twice("X-Service-Workspace-Id", id, id, { Authorization }))).toBe(400);
  });

  test("Idempotency-Key", async () => {
    const body = JSON.stringify({ subject: "S", text: "T", to: ["a@example.com"] });
    const answer = await rawRequest(
      house.port,
      `POST /api/v1/emails/send HTTP/1.1\r\nIdempotency-Key: a\r\nIdempotency-Key: b\r\nHost: a\r\nConnection: close\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(statusOf(answer)).toBe(400);
  });

  test("Content-Type: the first one counts, as in node:http", async () => {
    const bytes = `POST /api/v1/auth/login HTTP/1.1\r\nContent-Type: text/plain\r\nContent-Type: application/json\r\nHost: a\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}`;
    expect(statusOf(await rawRequest(house.port, bytes))).toBe(415);
  });
});

describe("malformed JSON bodies", () => {
  const template = (fields: string): string => `{"name":"n","text":"x"${fields}}`;
  const create = (body: string) => post("/workspaces/current/templates", body, asOwner());

  test.each([
    ["a byte order mark", "\xef\xbb\xbf{}"],
    ["UTF-16", "\xff\xfe{\0}\0"],
    ["a byte that is no UTF-8", '{"name":"\xc3"}'],
    ["an overlong slash", '{"name":"\xc0\xaf"}'],
    ["half a pair of surrogates", '{"name":"\\ud800"}'],
    ["a NUL in a text", '{"name":"\\u0000"}'],
    ["NaN", '{"name":NaN}'],
    ["a comment", '{"name":"a"/**/}'],
    ["a comma too many", '{"name":"a",}'],
    ["two values", "{}{}"],
    ["__proto__", template(',"__proto__":{"is_admin":true}')],
    ["__proto__ among values", template(',"sample_data":{"a":{"__proto__":{"b":1}}}')],
    ["__proto__ in other letters", template(',"sample_data":{"_\\u005fproto__":1}')],
    ["a hundred thousand values", template(`,"sample_data":{"a":[${"0,".repeat(100_000)}0]}`)],
    ["constructor", template(',"constructor":{"prototype":{"a":1}}')],
    ["a hundred lists in each other", template(`,"sample_data":{"a":${"[".repeat(100)}${"]".repeat(100)}}`)],
    ["a hundred thousand lists in each other", "[".repeat(100_000)],
    ["a hundred thousand objects in each other", '{"a":'.repeat(100_000)],
    ["a number past every number", '{"size":1e999}'],
  ])("%s is a 400", async (_, body) => {
    const answer = await create(body);
    expect([statusOf(answer), answer.includes("validation_failed")]).toEqual([400, true]);
    expect(({} as Record<string, unknown>)["is_admin"]).toBeUndefined();
  });

  test("the last value of a repeated key counts", async () => {
    const answer = await create('{"name":"n","name":"m","text":"x"}');
    expect([statusOf(answer), answer.includes('"name":"m"')]).toEqual([201, true]);
  });

  test("a body without a login may have at most 16 KiB", async () => {
    const fields = (length: number) => JSON.stringify({ email: "x".repeat(length - 12) });
    expect(statusOf(await post("/auth/login", fields(16 * 1024)))).toBe(400);
    expect(statusOf(await post("/auth/login", fields(16 * 1024 + 1)))).toBe(413);
  });

  test("names of Object's own properties are placeholder values like any other", async () => {
    const body = JSON.stringify({
      name: "own names",
      text: "{{toString}}{{a.constructor}}",
      sample_data: { toString: "1", a: {} },
    });
    expect(statusOf(await create(body))).toBe(201);
    const { body: list } = await house.call("GET /workspaces/current/templates?size=1", { as: house.owner });
    const { id, active_version_id } = (list.data?.[0] ?? {}) as Record<string, string>;
    const preview = await house.call(
      `POST /workspaces/current/templates/${id}/versions/${active_version_id}/preview`,
      {
        as: house.owner,
      },
    );
    expect(preview.body.data).toMatchObject({ text: "1", missing: ["a.constructor"] });
  });
});

describe("ids in paths", () => {
  const ids = [
    "0",
    "-1",
    "+1",
    "01",
    "1.0",
    "1e3",
    "0x1",
    "1,2",
    "1%20",
    "%31%00",
    "١",
    "9007199254740993",
    "9".repeat(400),
    "null",
    "..%2f1",
  ];
  test.each(ids)("%s", async (id) => {
    const path = encodeURI(decodeURI(id)) === id || id.includes("%") ? id : encodeURIComponent(id);
    for (const [method, target] of [
      ["PUT", `/workspaces/current/members/${path}`],
      ["DELETE", `/workspaces/current/invitations/${path}`],
      ["GET", `/workspaces/current/templates/${path}`],
      ["DELETE", `/users/me/sessions/${path}`],
      ["DELETE", `/workspaces/current/webhooks/${path}`],
    ] as const) {
      const bytes = head(`${method} /api/v1${target} HTTP/1.1`, asOwner());
      const status = statusOf(await rawRequest(house.port, bytes));
      expect([target, [400, 404].includes(status)]).toEqual([target, true]);
    }
  });

  test("an id in another spelling is refused", async () => {
    const { body } = await house.call("GET /workspaces/current/members", { as: house.owner });
    expect(body.data).toHaveLength(4);
    const upper = await house.call("POST /workspaces/current/stylesheets", {
      as: house.owner,
      body: { name: "s", css: "p{}" },
    });
    const id = String(upper.body.data?.["id"]);
    for (const spelling of [`{${id}}`, id.replaceAll("-", ""), `urn:uuid:${id}`, ` ${id}`]) {
      const { status } = await house.ask(
        `GET /workspaces/current/stylesheets/${encodeURIComponent(spelling)}`,
        {
          token: house.owner.token,
          workspace: house.workspace,
        },
      );
      expect([spelling, status]).toEqual([spelling, 400]);
    }
  });
});
