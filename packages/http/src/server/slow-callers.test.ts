import { afterEach, expect, test, vi } from "vitest";
import { owner, serveOwner, server, workspace } from "../../test/dispatching.ts";
import type { WireReply } from "../contract/wire-request.ts";
import { createDispatcher } from "./dispatch.ts";

serveOwner();
afterEach(() => vi.restoreAllMocks());

interface Held {
  token: string;
  workspace?: number;
  body: object;
  /** What happens before the last byte of the body comes. */
  meanwhile: () => Promise<unknown>;
}

/** Makes a request whose body takes two seconds to come. */
async function hold(
  signature: string,
  { token, workspace: there, body, meanwhile }: Held,
): Promise<WireReply> {
  const [method = "", path] = signature.split(" ");
  const began = performance.now();
  const unread = () => {
    throw new Error("the body is no file");
  };
  return await createDispatcher(server.world.posthorn).dispatch({
    method,
    target: `/api/v1${path}`,
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      ...(there === undefined ? {} : { "x-service-workspace-id": String(there) }),
    },
    repeatedAuthorization: false,
    ip: "127.0.0.1",
    async readBody() {
      await meanwhile();
      vi.spyOn(performance, "now").mockImplementation(() => began + 2_000);
      return Buffer.from(JSON.stringify(body));
    },
    openBody: unread,
  });
}

const mail = { subject: "Hi", text: "Hi", to: ["ada@example.com"] };

/** Makes an API key of the workspace, with which an e-mail is sent; returns it, and what revokes it. */
async function makeKey(
  as = owner,
  at = workspace,
): Promise<{ token: string; revoke: () => Promise<unknown> }> {
  const inWorkspace = { token: as.token, workspace: at };
  const path = "/workspaces/current/api-keys";
  const { body } = await server.ask(`POST ${path}`, { ...inWorkspace, body: { name: "Shop" } });
  const token = String(body.data?.["key"]);
  expect((await server.ask("POST /emails/send", { token, body: mail })).status).toBe(202);
  return { token, revoke: () => server.ask(`DELETE ${path}/${body.data?.["id"]}`, inWorkspace) };
}

const statuses = async (token: string): Promise<unknown> =>
  (await server.ask("GET /emails", { token })).body.data?.map(({ status }) => status);

test("a key that was revoked while the body came sends nothing, and one that was not does", async () => {
  const made = await server.ask("POST /workspaces", { token: owner.token, body: { name: "Slow" } });
  const own = Number(made.body.data?.["id"]);
  const [{ token, revoke }, reader] = [await makeKey(owner, own), await makeKey(owner, own)];
  const send = { token, body: mail, meanwhile: async () => {} };
  expect((await hold("POST /emails/send", send)).status).toBe(202);
  const before = await statuses(reader.token);
  expect(before).toHaveLength(3);
  expect((await hold("POST /emails/send", { ...send, meanwhile: revoke })).status).toBe(401);
  expect(await statuses(reader.token)).toEqual(before);
});

test("a login that was revoked while the body came deletes nothing of the workspace", async () => {
  const person = await server.logIn();
  const { token, userId } = person;
  const made = await server.ask("POST /workspaces", { token, body: { name: "Shop" } });
  const theirs = Number(made.body.data?.["id"]);
  const key = await makeKey(person, theirs);
  const meanwhile = () => server.world.storage.sessions.revokeAll(userId, undefined, 1);
  const held = { token, workspace: theirs, body: { name: "Shop" }, meanwhile };
  expect((await hold("DELETE /workspaces/current", held)).status).toBe(401);
  expect(await statuses(key.token)).toEqual(["queued"]);
});

test("an administrator who was demoted while the body came cancels nothing", async () => {
  const { token, userId } = await server.logIn({ admin: true });
  await server.ask("POST /admin/queue/pause", { token, body: {} });
  const key = await makeKey();
  const body = { drop_due_before: new Date(server.world.clock.now() + 60_000).toISOString() };
  const meanwhile = () => server.world.storage.users.update(userId, { isAdmin: false });
  expect((await hold("POST /admin/queue/resume", { token, body, meanwhile })).status).toBe(403);
  expect(await statuses(key.token)).not.toContain("cancelled");
});
