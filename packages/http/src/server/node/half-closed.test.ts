import { connect } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startServer, type TestServer } from "../../../test/start-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startServer();
});
afterEach(() => server.close());

/** Sends bytes and ends the own side at once; returns all that is received until the server ends the connection. */
function sendAndEnd(bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true }, () =>
      socket.end(bytes),
    );
    let answer = "";
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      answer += chunk;
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

const body = JSON.stringify({ email: "nobody@example.com", password: "wrong" });
const login = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;

describe("a client that ends its side behind its request", () => {
  test.each([
    ["HTTP/1.1", "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", [200]],
    ["HTTP/1.0", "GET /healthz HTTP/1.0\r\n\r\n", [200]],
    ["a body", `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\n${login}${body}`, [401]],
    ["three requests", "GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n".repeat(3), [200, 200, 200]],
    ["part of a body", `POST /api/v1/auth/login HTTP/1.1\r\nHost: a\r\n${login}{`, [400]],
    ["part of a head", "GET /healthz HTTP/1.1\r\nHo", [400]],
    ["nothing", "", []],
  ])("gets all answers, and the connection ends: %s", async (_, bytes, statuses) => {
    const answer = await sendAndEnd(bytes);
    const found = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));
    expect(found).toEqual(statuses);
  });

  test("is taken for gone by a long call that only answers", async () => {
    const { world, port } = server;
    const { asOwner } = await world.addWorkspace();
    const { key } = await world.posthorn.apiKeys.create({ name: "k" }, asOwner);
    const recipients = Array.from({ length: 201 }, (_, at) => ({ to: `p${at}@example.com` }));
    const batch = JSON.stringify({ subject: "s", text: "t", recipients });
    const head = `POST /api/v1/emails/batch?dry_run=true HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n`;
    const fields = `Authorization: Bearer ${key}\r\nContent-Type: application/json\r\nContent-Length: ${batch.length}`;
    expect(await sendAndEnd(`${head}${fields}\r\n\r\n${batch}`)).toContain("The caller has left.");
  });
});
