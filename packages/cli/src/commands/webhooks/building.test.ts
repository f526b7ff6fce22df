import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ServiceError } from "@posthorn/core";
import { expect, onTestFinished, test, vi } from "vitest";
import type { FollowedEvent, WorkspaceApi } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { listen } from "./building.ts";

const eventOf = (id: number, emailId: string): FollowedEvent => ({
  id,
  type: "email.queued",
  category: "email",
  workspace_id: 1,
  user_id: null,
  actor_id: null,
  actor_name: "",
  client_ip: "",
  message: "",
  metadata: JSON.stringify({ email_id: emailId }),
  created_at: "2026-11-21T06:55:21.000Z",
});

test("listen says which event it leaves out when its e-mail was deleted, and goes on", async () => {
  const posted: unknown[] = [];
  const receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    posted.push(JSON.parse(body));
    response.end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void receiver.close());
  vi.spyOn(process.stdout, "write").mockImplementation((_, ...rest) => {
    for (const one of rest) if (typeof one === "function") one();
    return true;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const api = {
    workspace: { id: 1, name: "Shop" },
    async request(route: string, { id }: { id?: string } = {}) {
      if (route === "GET /admin/events/position") return { last_id: 0 };
      if (id === "deleted") throw new ServiceError("not_found", { message: "There is no such e-mail." });
      return { subject: "Hi", tags: [], metadata: {} };
    },
    async *follow() {
      yield eventOf(1, "deleted");
      yield eventOf(2, "kept");
    },
  };
  const warned: string[] = [];
  const context = {
    signal: new AbortController().signal,
    output: { json: true, note() {}, warn: (text: string) => warned.push(text) },
    config: () => ({ values: { webhook_timeout_secs: 60.0005 } }),
    inWorkspace: async () => api as unknown as WorkspaceApi,
  } as unknown as CommandContext;

  const { port } = receiver.address() as AddressInfo;
  await listen(context, { forwardTo: `http://127.0.0.1:${port}/` });
  expect(warned).toEqual(["Event 1, email.queued, is left out: its e-mail deleted was deleted."]);
  expect(posted).toEqual([expect.objectContaining({ event: "email.queued", email_id: "kept" })]);
});
