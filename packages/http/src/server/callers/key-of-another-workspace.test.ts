import { expect, test } from "vitest";
import { current, owner, serveOwner, server, workspace } from "../../../test/dispatching.ts";

serveOwner();

test("a key's request that names another workspace is a 403, and does nothing", async () => {
  const made = await current("POST /workspaces/current/api-keys", { body: { name: "Shop" } });
  const token = String(made.body.data?.["key"]);
  const another = await server.ask("POST /workspaces", { token: owner.token, body: { name: "Other" } });
  const other = Number(another.body.data?.["id"]);
  const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"] };
  const send = (named: number | string) =>
    server.ask("POST /emails/send", { token, workspace: named, body: mail });
  expect((await send(workspace)).status).toBe(202);
  // The first was looked up; the key of the others is expected.
  for (const named of [other, 987654, "abc", `${workspace}, ${workspace}`]) {
    const { status, body } = await send(named);
    expect([named, status, body.error?.code]).toEqual([named, 403, "not_a_member"]);
  }
  expect((await send(workspace)).status).toBe(202);
  expect((await server.ask("GET /emails", { token })).body.pagination?.["total"]).toBe(2);
  const submit = (named: number) =>
    server.ask("POST /workspaces/current/inbound", {
      token,
      workspace: named,
      body: { message: "Subject: Undelivered\r\n\r\n" },
    });
  expect([(await submit(other)).status, (await submit(workspace)).status]).toEqual([403, 202]);
});
