import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectToServer } from "./connect-to-server.ts";

test("Ctrl-C gives up what is only read from a server that does not answer, and awaits a change", async () => {
  const unanswered: ServerResponse[] = [];
  const server = createServer((_, response) => void unanswered.push(response)).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close().closeAllConnections());
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ending = new AbortController();
  const { on } = connectToServer("prod", { url, token: "t" }, ending.signal);
  const { request } = on(7);
  const read = request("GET /workspaces/current");
  const changed = request("PUT /workspaces/current", { name: "Books" });
  await expect.poll(() => unanswered).toHaveLength(2);
  ending.abort();
  await expect(read).rejects.toMatchObject({ name: "AbortError" });
  // What is read from then on tells how it ended.
  const after = request("GET /workspaces/current");
  await expect.poll(() => unanswered).toHaveLength(3);
  for (const response of unanswered)
    response
      .writeHead(403, { "content-type": "application/json" })
      .end(JSON.stringify({ success: false, error: { code: "forbidden", message: "No." } }));
  for (const answered of [changed, after]) await expect(answered).rejects.toMatchObject({ status: 403 });
});

test("a check of a campaign is waited for as long as a long list takes", async () => {
  const timeout = vi.spyOn(globalThis, "setTimeout");
  onTestFinished(() => timeout.mockRestore());
  const { request } = connectToServer("prod", { url: "http://127.0.0.1:1", token: "t" });
  const check = request("POST /workspaces/current/campaigns/{id}/check", { id: 1 });
  await expect(check).rejects.toMatchObject({ code: "unreachable" });
  expect(timeout.mock.calls).toContainEqual([expect.anything(), 600_000]);
});
