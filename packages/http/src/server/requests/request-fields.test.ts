import { describe, expect, test } from "vitest";
import { current, owner, serveOwner, server } from "../../../test/dispatching.ts";
import { rawRequest } from "../../../test/raw-request.ts";

serveOwner();

describe("fields", () => {
  test("an unknown field is refused by its name", async () => {
    const answer = await server.ask("POST /auth/login", {
      body: { email: "a@example.com", password: "x", is_admin: true },
    });
    expect(answer.status).toBe(400);
    expect(answer.body.error).toEqual({
      code: "validation_failed",
      message: "is_admin: is not a known field",
      details: [{ path: "is_admin", message: "is not a known field" }],
    });
  });

  test.each([
    ["POST /auth/login", "eMail", "email"],
    ["POST /auth/login", "two-factor-code", "two_factor_code"],
    ["POST /auth/login", "two.factor.code", "two_factor_code"],
    ["POST /auth/login", "nick.name", undefined],
    ["POST /auth/login", "twoFactorCode", "two_factor_code"],
    ["POST /auth/login", "code", "two_factor_code"],
  ])("of %s names the field meant by %s", async (line, name, meant) => {
    const body = { email: "a@example.com", password: "x", [name]: "1" };
    const message = `is not a known field${meant === undefined ? "" : ` (did you mean ${meant}?)`}`;
    const answer = await server.ask(line, { body });
    expect(answer.body.error).toMatchObject({
      message: `${name}: ${message}`,
      details: [{ path: name, message }],
    });
  });

  test("that resembles a missing one is told first", async () => {
    const { body } = await server.ask("POST /auth/login", { body: { emial: "a@example.com" } });
    expect(body.error?.message).toBe("emial: is not a known field (did you mean email?) (and 2 more)");
  });

  test("of a query is compared with the query's", async () => {
    const { body } = await current("GET /workspaces/current/audit-log?pages=1");
    expect(body.error?.details).toEqual([
      { path: "pages", message: "is not a known field (did you mean page?)" },
    ]);
  });

  test("of a body that is given in the query is said to belong there", async () => {
    const { status, body } = await current("POST /workspaces/current/templates?name=a&id=1", {
      body: { name: "a", text: "b" },
    });
    expect([status, body.error?.details]).toEqual([
      400,
      [
        { path: "name", message: "belongs in the body, not in the query" },
        { path: "id", message: "is not a known field" },
      ],
    ]);
  });

  test("thousands of unknown fields are refused without a name", async () => {
    const body = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`x${at}`, 1]));
    const { status, body: answer } = await current("POST /workspaces/current/invitations", { body });
    expect([status, answer.error?.message]).toEqual([400, "The input has too many unknown fields."]);
  });

  test.each([
    ["display_name", '{"display_name":12345678901234567}'],
    ["sample_data.a.1", '{"sample_data":{"a":["", "\\ud800"]}}'],
    [`sample_data.${"0.".repeat(30)}0`, `{"sample_data":${"[".repeat(33)}${"]".repeat(33)}}`],
  ])("JSON that can't be kept is refused with the path %s", async (path, body) => {
    const answer = await current("POST /workspaces/current/templates", { body });
    expect([answer.status, answer.body.error?.details?.[0]?.path]).toEqual([400, path]);
    expect(answer.body.error?.message).toMatch(`${path}: `);
  });

  test.each([
    [415, "application/json; charset=utf-16"],
    [415, 'application/json;charset="ISO-8859-1"'],
    [400, 'application/json; charset="UTF-8"'],
    [400, "application/json;charset=utf8; profile=x"],
  ])("answers %d for %s, as JSON is in UTF-8", async (status, type) => {
    const headers = { "content-type": type };
    const answer = await current("PUT /workspaces/current/settings", { headers, body: '{"é":1}' });
    expect(answer.status).toBe(status);
  });

  test("camelCase names are unknown too, and errors use the API's names", async () => {
    const answer = await current("PUT /workspaces/current/settings", {
      body: { webhookRetryCount: 3, webhook_retry_count: "many", api_key_expiry_days: -1 },
    });
    expect(answer.status).toBe(400);
    const paths = answer.body.error?.details?.map(({ path }) => path);
    expect(paths?.toSorted()).toEqual(["api_key_expiry_days", "webhookRetryCount", "webhook_retry_count"]);
    expect(answer.body.error?.message).not.toContain("webhookRetryCount: must");
  });

  test("a path's parameter can't come in the body", async () => {
    const answer = await current("PUT /workspaces/current/members/1", {
      body: { role: "viewer", member_id: 2 },
    });
    expect(answer.body.error?.details).toContainEqual({ path: "member_id", message: "is not a known field" });
  });

  test("a bad id in the path is a 400 that names the parameter", async () => {
    for (const id of ["abc", "1e1", "0x1", "+1", "1.5", "1.0", "01", "%20"]) {
      const answer = await current(`PUT /workspaces/current/members/${id}`, { body: { role: "viewer" } });
      expect([id, answer.status, answer.body.error?.details?.[0]?.path]).toEqual([id, 400, "member_id"]);
    }
  });

  test("a record's keys are not renamed", async () => {
    const sample = { firstName: "Ada", last_name: "L", nested: { camelCase: [{ aB: 1 }] } };
    const made = await current("POST /workspaces/current/templates", {
      body: { name: "records", description: "", html: "<p>{{firstName}}</p>", sample_data: sample },
    });
    expect(made.status).toBe(201);
    const read = await current(`GET /workspaces/current/templates/${made.body.data?.id}`);
    expect(read.body.data?.sample_data).toEqual(sample);
  });

  test.each([
    ["page=0&size=1", 200],
    ["size=0", 400],
    ["size=101", 400],
    ["page=-1", 400],
    ["page=1e1", 400],
    ["page=0x1", 400],
    ["page=1.0", 400],
    ["page=-0", 400],
    ["page=+1", 400],
    ["page=", 400],
    ["page=1&page=1", 400],
    ["sort=name", 400],
    ["page=%", 400],
    ["page=%ff", 400],
    ["__proto__=1", 400],
  ])("the query %s answers %i", async (query, status) => {
    expect((await server.ask(`GET /workspaces?${query}`, { token: owner.token })).status).toBe(status);
  });

  test("a query beside a body is refused", async () => {
    const answer = await server.ask("POST /auth/login?email=a@example.com", {
      body: { email: "b@example.com", password: "x" },
    });
    expect(answer.status).toBe(400);
  });
});

describe("bodies", () => {
  const login = (body: string, headers: Record<string, string> = {}) =>
    server.ask("POST /auth/login", { body, headers });

  test.each([
    ["malformed", '{"email":'],
    ["with a number beyond 2^53", '{"email":12345678901234567890}'],
    ["a list", "[]"],
    ["a text", '"a"'],
    ["null", "null"],
    ["too deep", `${"[".repeat(40)}${"]".repeat(40)}`],
    ["NUL inside", '{"email":"\\u0000"}'],
    ["half a surrogate pair", '{"email":"\\ud800"}'],
    ["with a prototype", '{"__proto__":{"email":"a@example.com"},"password":"x"}'],
    ["empty", ""],
  ])("%s is a 400", async (_, body) => {
    const answer = await login(body);
    expect([answer.status, answer.body.error?.code]).toEqual([400, "validation_failed"]);
  });

  test("bytes that are no UTF-8 are a 400", async () => {
    const head =
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n";
    const answer = await rawRequest(server.port, `${head}Content-Length: 12\r\n\r\n{"email":"\xff"`);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  });

  test.each(["text/plain", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data"])(
    "%s is a 415",
    async (type) => {
      const answer = await login("{}", { "content-type": type });
      expect([answer.status, answer.body.error?.code]).toEqual([415, "unsupported_media_type"]);
    },
  );

  test("a compressed body is a 415", async () => {
    expect((await login("{}", { "content-encoding": "gzip" })).status).toBe(415);
  });

  test.each([
    ["gzip, chunked", 415],
    ["Chunked", 400],
  ])("a body in the transfer coding %s is a %i", async (coding, status) => {
    const head =
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n";
    const bytes = `${head}Transfer-Encoding: ${coding}\r\n\r\n2\r\n{}\r\n0\r\n\r\n`;
    expect(await rawRequest(server.port, bytes)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  test("a charset beside the type is accepted", async () => {
    const answer = await login('{"email":"nobody@example.com","password":"wrong"}', {
      "content-type": "Application/JSON; charset=utf-8",
    });
    expect([answer.status, answer.body.error?.code]).toEqual([401, "invalid_credentials"]);
  });

  test("more than 1 MiB is a 413, with or without Content-Length", async () => {
    const large = JSON.stringify({ email: "a".repeat(1024 * 1024), password: "x" });
    expect((await login(large)).body.error?.code).toBe("payload_too_large");
    const head =
      "POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\n";
    const chunk = `${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    const answer = await rawRequest(server.port, `${head}Transfer-Encoding: chunked\r\n\r\n${chunk}`);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test("a body of many MiB, sent to its end, is answered by a 413 that its sender can read", async () => {
    const body = "x".repeat(33 * 1024 * 1024);
    const head = `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n`;
    expect(await rawRequest(server.port, head + body)).toMatch(/^HTTP\/1\.1 413 .*"payload_too_large"/s);
    expect((await login(body)).status).toBe(413);
  });

  test("an update without a field is a 400", async () => {
    expect((await current("PUT /workspaces/current/settings", { body: {} })).status).toBe(400);
    expect((await current("PUT /workspaces/current/settings")).status).toBe(400);
  });
});
