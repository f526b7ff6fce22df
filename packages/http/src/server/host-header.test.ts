import { expect, test } from "vitest";
import { owner, serveOwner, server } from "../../test/dispatching.ts";
import { rawRequest } from "../../test/raw-request.ts";

serveOwner();

test.each(["/healthz", "/api/v1/users/me", "/api/v1/admin/events/stream", "/u/abc"])(
  "two Host headers are refused at %s",
  async (path) => {
    const answer = await rawRequest(
      server.port,
      `GET ${path} HTTP/1.1\r\nHost: a\r\nhost: a\r\nAuthorization: Bearer ${owner.token}\r\nConnection: close\r\n\r\n`,
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain("Host: is given more than once");
  },
);

test("recipients' links are answered at the host of any tracking host", async () => {
  const answer = await rawRequest(
    server.port,
    "POST /u/abc HTTP/1.1\r\nHost: links.shop.example\r\nContent-Length: 0\r\nConnection: close\r\n\r\n",
  );
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*text\/plain/s);
});

test.each(["/healthz", "/api/v1/users/me", "/nowhere"])(
  "no Host header gets an error like any other, with an id, at %s",
  async (path) => {
    const answer = await rawRequest(server.port, `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
    expect(answer).toMatch(path === "/nowhere" ? /^HTTP\/1\.1 404 / : /^HTTP\/1\.1 400 .*Host: is missing/s);
    expect(answer).toMatch(/x-request-id: .*"request_id":/is);
    const old = await rawRequest(server.port, `GET ${path} HTTP/1.0\r\n\r\n`);
    expect(old).not.toContain("Host");
  },
);

test.each([
  ["a name and a port", "mail_1.shop.example:8080", 200],
  ["an address of IPv6", "[::1]:8080", 200],
  ["nothing", "", 200],
  ["two names", "a, b", 400],
  ["a path", "a/b", 400],
  ["a user", "eve@a", 400],
  ["half an address", "[::1", 400],
  ["a port that is none", "a:b", 400],
  ["unencoded letters", "b\xfccher.example", 400],
])("a Host header with %s", async (_, host, status) => {
  const answer = await rawRequest(
    server.port,
    `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  );
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  if (status === 400) expect(answer).toContain("Host: is not a host");
});
