import { StorageUnavailable } from "@posthorn/core";
import { describe, expect, test, vi } from "vitest";
import { current, owner, serveOwner, server, workspace } from "../../test/dispatching.ts";
import { rawRequest } from "../../test/raw-request.ts";
import type { WireRequest } from "../contract/wire-request.ts";
import { createDispatcher } from "./dispatch.ts";
import type { ServedPosthorn } from "./served-posthorn.ts";

serveOwner();

describe("credentials", () => {
  test.each([
    ["none", {}],
    ["another scheme", { authorization: "Basic YTpi" }],
    ["no token", { authorization: "Bearer " }],
    ["garbage", { authorization: "Bearer \u00ff\u00fe" }],
    ["a token that is no JWT", { authorization: "Bearer abc" }],
    ["a token longer than 4 KiB", { authorization: `Bearer ${"a".repeat(5000)}` }],
    ["an API key in place of a login", { authorization: `Bearer sk_${"a".repeat(40)}` }],
  ])("%s is answered with the same 401", async (_, headers) => {
    const answer = await server.ask("GET /users/me", { headers });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(answer.body.error).toEqual({
      code: "unauthenticated",
      message:
        "Credentials are missing or not valid: send the header Authorization: Bearer, then a login's token; an API key is not enough here.",
    });
  });

  test.each([
    ["GET /emails", "an API key; a login's token is not enough here"],
    ["GET /workspaces/current/templates", "a login's token; an API key is not enough here"],
    ["POST /workspaces/current/inbound", "an API key or a login's token"],
  ])("the 401 of %s says what it takes, to everybody alike", async (line, token) => {
    const { body } = await current("POST /workspaces/current/api-keys", { body: { name: "Shop" } });
    const ofOtherKind = line === "GET /emails" ? owner.token : body.data?.key;
    for (const sent of line.startsWith("POST") ? ["", "sk_x"] : ["", "sk_x", "abc", ofOtherKind]) {
      const answer = await server.ask(line, { headers: { authorization: `Bearer ${sent}` } });
      expect([sent, answer.status, answer.body.error?.message]).toEqual([
        sent,
        401,
        `Credentials are missing or not valid: send the header Authorization: Bearer, then ${token}.`,
      ]);
    }
  });

  test("two Authorization headers are refused, even if one is valid", async () => {
    const answer = await rawRequest(
      server.port,
      `GET /api/v1/users/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nAuthorization: Bearer x\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("Authorization: is given more than once");
  });

  test("two Idempotency-Key headers are refused, and a comma is part of the key", async () => {
    const { body } = await current("POST /workspaces/current/api-keys", { body: { name: "Shop" } });
    const mail = JSON.stringify({ subject: "Hi", text: "Hi", to: ["ada@example.com"] });
    const send = (...keys: string[]) =>
      rawRequest(
        server.port,
        [
          "POST /api/v1/emails/send HTTP/1.1",
          `Host: a\r\nAuthorization: Bearer ${body.data?.key}\r\nConnection: close`,
          `Content-Type: application/json\r\nContent-Length: ${mail.length}`,
          ...keys.map((key) => `Idempotency-Key: ${key}`),
          `\r\n${mail}`,
        ].join("\r\n"),
      );
    const twice = await send("a", "b");
    expect(twice).toMatch(/^HTTP\/1\.1 400 /);
    expect(twice).toContain("Idempotency-Key: is given more than once");
    expect(await send("a,b")).toMatch(/^HTTP\/1\.1 202 /);
  });

  test("a login is refused where an API key is required", async () => {
    expect((await server.ask("GET /emails", { token: owner.token })).status).toBe(401);
  });

  test.each(["", "0", "-1", "1,2", "1e3", "0x1", " ", "01", "99999999999999999", "abc"])(
    "the workspace header %j is a 400",
    async (header) => {
      const answer = await server.ask("GET /workspaces/current", { token: owner.token, workspace: header });
      expect([answer.status, answer.body.error?.code]).toEqual([400, "workspace_required"]);
    },
  );

  test("two workspace headers are a 400", async () => {
    const header = `X-Service-Workspace-Id: ${workspace}\r\n`;
    const answer = await rawRequest(
      server.port,
      `GET /api/v1/workspaces/current HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\n${header}${header}Connection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("workspace_required");
    expect(answer).toContain("The header X-Service-Workspace-Id is given more than once.");
  });

  test("another workspace and a missing one get the same 403", async () => {
    const stranger = await server.logIn();
    const foreign = await server.ask("GET /workspaces/current", { token: stranger.token, workspace });
    const none = await server.ask("GET /workspaces/current", { token: stranger.token, workspace: 987654 });
    expect([foreign.status, foreign.body.error]).toEqual([403, none.body.error]);
    expect(none.body.error?.code).toBe("not_a_member");
  });
});

describe("paths and methods", () => {
  test.each([
    ["//", 400],
    ["//evil.example/x", 400],
    ["http://a.example/api/v1/users/me", 401],
    ["HTTPS://a.example:8443/api/v1/users/me?x", 401],
    ["http://a.example", 404],
    ["http://a.example?x", 404],
    ["http://a.example//x", 400],
    ["http:///x", 400],
    ["ftp://a.example/api/v1/users/me", 400],
    ["*", 400],
    ["/%", 404],
    ["/api/v1/%ff", 404],
    ["/api/v1/users/me/", 404],
    ["/api/v1/emails/", 404],
    ["/api/v1/users/%6de", 404],
    ["/api/v1/%61dmin/users", 404],
    ["/api/v1/%61dmin/plans/1", 404],
    ["/%61pi/v1/users/me", 404],
    ["/api/v1//users/me", 404],
    ["/api/v1/Users/me", 404],
    ["/api/v1/../v1/users/me", 404],
    ["/api/v1/users/me;x=1", 404],
    ["/", 404],
    [`/${"a".repeat(9000)}`, 414],
    [`/api/v1/emails?to=${"a".repeat(9000)}`, 414],
  ])("%s ends in %i", async (target, status) => {
    const answer = await rawRequest(
      server.port,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('"success":false');
  });

  test.each([
    ["//x", "The path is malformed."],
    ["/api/v1/users/me?x=%ff", "x: is not percent-encoded UTF-8"],
    ["/api/v1/users/me?x=%00", "x: contains a NUL character"],
    ["/api/v1/users/me?%ff=x", "The query string is not percent-encoded UTF-8."],
    ["/api/v1/users/me?a%00b=x", "The query string contains a NUL character."],
  ])("%.24s is refused with what is wrong", async (target, message) => {
    const answer = await rawRequest(
      server.port,
      `GET ${target} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${owner.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(JSON.parse(answer.slice(answer.indexOf("{")))).toMatchObject({
      error: { code: "validation_failed", message },
    });
  });

  test("another method is a 405 that lists the allowed ones", async () => {
    const answer = await server.ask("PATCH /workspaces/current/settings");
    expect([answer.status, answer.body.error?.code]).toEqual([405, "method_not_allowed"]);
    expect(answer.headers.get("allow")).toBe("GET, PUT, HEAD, OPTIONS");
    expect(answer.body.error?.message).toBe("The path takes GET or PUT only.");
  });

  test("OPTIONS lists the allowed methods, without CORS headers for unlisted origins", async () => {
    const answer = await server.ask("OPTIONS /workspaces/current/settings", {
      headers: { origin: "https://evil.example" },
    });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("allow")).toContain("PUT");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("OPTIONS * lists the methods that the server supports", async () => {
    const answer = await rawRequest(
      server.port,
      "OPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
    );
    expect(answer).toMatch(/^HTTP\/1\.1 204 .*allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n/is);
  });

  test("HEAD answers as GET does, without the body", async () => {
    const get = await server.ask("GET /users/me", { token: owner.token });
    const head = await server.ask("HEAD /users/me", { token: owner.token });
    expect([head.status, head.text]).toEqual([200, ""]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(get.text)));
  });
});

describe("every response", () => {
  test("carries the caller's request id if it is well-formed, otherwise a generated one", async () => {
    const mine = await server.ask("GET /users/me", { headers: { "x-request-id": "trace-1.a_B" } });
    expect([mine.headers.get("x-request-id"), mine.body.request_id]).toEqual(["trace-1.a_B", "trace-1.a_B"]);
    const odd = await server.ask("GET /users/me", { headers: { "x-request-id": "a b<script>" } });
    expect(odd.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("forbids caching, sniffing and referrers", async () => {
    const { headers } = await server.ask("GET /users/me", { token: owner.token });
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  });

  test("a page of a list includes its total", async () => {
    const answer = await server.ask("GET /workspaces?size=5", { token: owner.token });
    expect(answer.body.pagination).toEqual({ page: 0, size: 5, total: 1, total_pages: 1, after: null });
    expect(answer.body.data?.[0]?.created_at).toBe("2030-01-01T12:00:00.000Z");
  });
});

describe("internal errors", () => {
  const request: WireRequest = {
    method: "GET",
    target: "/api/v1/users/me?secret=1",
    headers: { authorization: "Bearer abc", "x-request-id": "r1" },
    repeatedAuthorization: false,
    ip: "127.0.0.1",
    readBody: async () => new Uint8Array(),
    openBody: async function* () {},
  };

  function failing(error: Error): { posthorn: ServedPosthorn; logged: unknown[][] } {
    const [log, authenticateUser] = [vi.fn(), () => Promise.reject(error)];
    const logger = { ...server.world.posthorn.logger, error: log, warn: log };
    return { posthorn: { ...server.world.posthorn, logger, authenticateUser }, logged: log.mock.calls };
  }

  test("are a 500 without details, and a log line without the query", async () => {
    const { posthorn, logged } = failing(new Error("relation users does not exist"));
    const reply = await createDispatcher(posthorn).dispatch(request);
    expect(reply.status).toBe(500);
    expect(JSON.parse(String(reply.body))).toEqual({
      success: false,
      error: { code: "internal_error", message: "Something went wrong on our side." },
      request_id: "r1",
    });
    expect(logged).toEqual([
      [
        { requestId: "r1", method: "GET", path: "/api/v1/users/me", err: expect.any(Error) },
        "a request failed",
      ],
    ]);
  });

  test("an unreachable storage is a 503 with Retry-After, and a log line that says why", async () => {
    const [down, told] = [new StorageUnavailable("down"), expect.stringContaining("answered 503")];
    const { posthorn, logged } = failing(down);
    const { status, headers } = await createDispatcher(posthorn).dispatch(request);
    expect([status, headers["retry-after"], logged]).toEqual([503, "1", [[{ err: down }, told]]]);
  });

  test("a closed dispatcher answers 503", async () => {
    const dispatcher = createDispatcher(server.world.posthorn);
    dispatcher.close();
    const { status, body } = await dispatcher.dispatch(request);
    expect([status, JSON.parse(String(body)).error.code]).toEqual([503, "unavailable"]);
  });

  test("only listed origins may call from a browser", async () => {
    const dispatcher = createDispatcher(server.world.posthorn, { corsOrigins: ["https://App.example:443/"] });
    const ask = async (origin: string) =>
      (await dispatcher.dispatch({ ...request, method: "OPTIONS", headers: { origin } })).headers;
    expect((await ask("https://app.example"))["access-control-allow-origin"]).toBe("https://app.example");
    expect((await ask("https://app.example.evil"))["access-control-allow-origin"]).toBeUndefined();
    const headers = { origin: "https://app.example" };
    const readable = (await dispatcher.dispatch({ ...request, headers })).headers[
      "access-control-expose-headers"
    ];
    expect(readable?.split(", ")).toEqual(
      expect.arrayContaining(["RateLimit", "RateLimit-Policy", "Retry-After", "X-Request-Id"]),
    );
  });
});

describe("a path that does not exist", () => {
  test.each([
    ["POST", "/emails/send", "There is no path /emails/send: the API's paths begin with /api/v1."],
    ["POST", "/api/emails/send", "There is no path /api/emails/send: the API's paths begin with /api/v1."],
    ["POST", "/v1/emails/send", "There is no path /v1/emails/send: the API's paths begin with /api/v1."],
    ["GET", "/email", "There is no path /email."],
    ["GET", "/healthz/", "There is no path /healthz/: paths have no slash at their end."],
    ["GET", "/api/v1/users/me/", "There is no path /api/v1/users/me/: paths have no slash at their end."],
    ["POST", "/api/v1/email/send", "There is no path /api/v1/email/send: /docs lists those of the API."],
    [
      "POST",
      "/api/v1/api/v1/emails",
      "There is no path /api/v1/api/v1/emails: a client's URL ends before /api/v1.",
    ],
    ["GET", `/${"a".repeat(5000)}`, `There is no path /${"a".repeat(99)}….`],
  ])("%s %s is named, with what to do", async (method, path, message) => {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: { code: "not_found", message } });
  });
});
