import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { createFixedClock, createWorld, type FixedClock, type World } from "../testing/index.ts";

const hour = 3_600_000;
const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };
const account = { name: "Ada", email: "ada@example.com", password: "the engine weaves algebra" };

/** Two processes on a database that machines share: one machine's clock is an hour behind, the other's an hour ahead. */
let database: FixedClock;
let behind: World;
let ahead: World;
beforeEach(async () => {
  database = createFixedClock();
  const storage = await openTestSqlite();
  const open = (apart: number, close: () => Promise<void>) =>
    createWorld(
      { ...storage, isRemote: true, now: async () => database.now(), close },
      { databaseClock: "own", clock: createFixedClock(database.now() + apart), registration: "open" },
    );
  behind = await open(-hour, storage.close);
  ahead = await open(hour, async () => {});
});
afterEach(async () => {
  await ahead.close();
  await behind.close();
});
const pass = (ms: number) => {
  for (const clock of [database, behind.clock, ahead.clock]) clock.advance(ms);
};

test("processes whose clocks are hours apart share one quota, in the hour of the database", async () => {
  const { id } = await behind.addWorkspace();
  const administrator = await behind.addUser({ admin: true });
  const plan = await behind.posthorn.plans.create(
    { name: "Free", hourlyRateLimit: 2 },
    { as: administrator },
  );
  await behind.posthorn.plans.assignToWorkspace({ workspaceId: id, planId: plan.id }, { as: administrator });
  const send = ({ posthorn }: World) => posthorn.emails.send(mail, { workspaceId: id });
  const refusal = { code: "rate_limited", retryAfter: hour / 1_000 };
  for (const _ of ["an hour", "the next"]) {
    const sent = [await send(ahead), await send(behind)];
    expect(sent.map(({ createdAt }) => createdAt)).toEqual([database.now(), database.now()]);
    for (const world of [ahead, behind]) await expect(send(world)).rejects.toMatchObject(refusal);
    pass(hour);
  }
});

test("a login and a key are valid in all processes until the database's clock reaches their end", async () => {
  await behind.posthorn.accounts.register(account, { as: { kind: "anonymous" } });
  const { email, password } = account;
  const { token } = await ahead.posthorn.accounts.login({ email, password }, { as: { kind: "anonymous" } });
  const { id, asOwner } = await ahead.addWorkspace();
  const { key } = await ahead.posthorn.apiKeys.create({ name: "shop", expiresInDays: 1 }, asOwner);
  pass(24 * hour - 1);
  for (const { posthorn } of [behind, ahead]) {
    expect(await posthorn.authenticateUser(token)).toMatchObject({ email });
    expect(await posthorn.authenticateApiKey(key)).toMatchObject({ workspaceId: id });
  }
  pass(1);
  for (const { posthorn } of [behind, ahead]) {
    expect(await posthorn.authenticateUser(token)).toBeUndefined();
    await expect(posthorn.authenticateApiKey(key)).rejects.toMatchObject({ code: "api_key_expired" });
  }
});
