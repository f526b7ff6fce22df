import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { dryRunSend, sendEmail } from "../mail/emails/send-email.ts";
import type { ApiKeys as StoredKeys, Workspaces as StoredWorkspaces } from "../ports/storage.ts";
import { createWorld, type TestWorkspace, type World } from "../testing/index.ts";

let world: World;
let workspace: TestWorkspace;
let key: string;
let apiKeyId: string;
/** While it is set, the storage does not answer look-ups of keys. */
let held: { promise: Promise<void>; resolve(): void } | undefined;
let workspacesAsked: number;

beforeEach(async () => {
  held = undefined;
  workspacesAsked = 0;
  const storage = await openTestSqlite();
  const apiKeys: StoredKeys = {
    ...storage.apiKeys,
    async findByDigests(digests) {
      await held?.promise;
      return storage.apiKeys.findByDigests(digests);
    },
  };
  const workspaces: StoredWorkspaces = {
    ...storage.workspaces,
    listSending(ids) {
      workspacesAsked += 1;
      return storage.workspaces.listSending(ids);
    },
  };
  world = await createWorld({ ...storage, apiKeys, workspaces, isRemote: true });
  workspace = await world.addWorkspace();
  const made = await world.posthorn.apiKeys.create({ name: "shop", expiresInDays: 1 }, workspace.asOwner);
  key = made.key;
  apiKeyId = made.id;
});
afterEach(async () => {
  held?.resolve();
  await world.close();
});

const client = { ip: "192.0.2.1", userAgent: "" };
const send = (input: object = {}, useCase: typeof sendEmail | typeof dryRunSend = sendEmail) => {
  const caller = world.posthorn.expectApiKey(key);
  if (caller === undefined) throw new Error("the key is not expected");
  const email = { from: "shop@example.com", to: ["ben@example.net"], subject: "S", text: "T", ...input };
  return world.posthorn.execute(useCase as typeof sendEmail, email as never, {
    caller,
    client,
    workspaceId: undefined,
  });
};
const kept = async () =>
  (await world.storage.emails.list({ workspaceId: workspace.id }, { offset: 0, limit: 10 }, 0)).total;

test("a key that was valid is expected to be again, and one that was not is checked first", async () => {
  expect(world.posthorn.expectApiKey(key)).toBeUndefined();
  expect(world.posthorn.expectApiKey("no key")).toBeUndefined();
  await world.posthorn.authenticateApiKey(key);
  expect(world.posthorn.expectApiKey(key)).toMatchObject({ apiKeyId, workspaceId: workspace.id });
  await world.posthorn.apiKeys.revoke({ apiKeyId }, workspace.asOwner);
  await expect(send()).rejects.toMatchObject({ code: "unauthenticated" });
  expect(world.posthorn.expectApiKey(key)).toBeUndefined();
});

test("a send's context is read together with its key, and nothing is written until the key is valid", async () => {
  await world.posthorn.authenticateApiKey(key);
  held = Promise.withResolvers<void>();
  const sent = send();
  await expect.poll(() => workspacesAsked).toBe(1);
  expect(await kept()).toBe(0);
  held.resolve();
  expect(await sent).toMatchObject({ status: "queued" });
  expect(await kept()).toBe(1);
});

test("a key that ended since refuses the send before any other fault, and writes nothing", async () => {
  await world.posthorn.authenticateApiKey(key);
  world.clock.advance(2 * 24 * 60 * 60 * 1000);
  await expect(send()).rejects.toMatchObject({ code: "api_key_expired" });
  expect(await kept()).toBe(0);
});

test("a stored answer for an Idempotency-Key is not given to a key revoked since", async () => {
  await world.posthorn.authenticateApiKey(key);
  await send({ idempotencyKey: "once" });
  await world.posthorn.apiKeys.revoke({ apiKeyId }, workspace.asOwner);
  // A new request would now be refused for its sender's domain, but a stored answer would still be found.
  await world.posthorn.settings.update({ requireVerifiedDomain: true }, workspace.asOwner);
  await expect(send({ idempotencyKey: "once" })).rejects.toMatchObject({ code: "unauthenticated" });
});

test("any other call checks the key first", async () => {
  await world.posthorn.authenticateApiKey(key);
  await world.posthorn.apiKeys.revoke({ apiKeyId }, workspace.asOwner);
  const before = workspacesAsked;
  const [refused] = await Promise.allSettled([send({}, dryRunSend)]);
  expect(refused).toMatchObject({ reason: { code: "unauthenticated" } });
  expect(workspacesAsked).toBe(before);
});
