import { createSqliteStorage } from "@posthorn/storage-sqlite";
import Sqlite, { type Database } from "better-sqlite3";
import { afterEach, beforeEach } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type TestWorkspace, type World, type WorldOptions } from "../src/testing/index.ts";

/** The world of the test that runs. */
export let world: World;
/** A workspace in it. */
export let workspace: TestWorkspace;
/** Its database, for tests that look at it past the storage. */
export let database: Database;

/** Opens a world with a workspace before each test of a file, on SQLite in memory, and closes it after. */
export function openWorldForEach(options: WorldOptions = {}): void {
  beforeEach(() => open(options));
  afterEach(() => world.close());
}

async function open(options: WorldOptions): Promise<void> {
  world = await createWorld(await openTestSqlite(), options);
  workspace = await world.addWorkspace();
}

/** Opens another world in place of the test's. */
export async function reopenWorld(options: WorldOptions): Promise<void> {
  await world.close();
  await open(options);
}

/** The same on a database at hand. */
export function openDatabaseForEach(): void {
  beforeEach(async () => {
    database = new Sqlite(":memory:");
    database.pragma("foreign_keys = on");
    database.pragma("synchronous = full");
    world = await createWorld(await createSqliteStorage({ database }));
    workspace = await world.addWorkspace();
  });
  afterEach(async () => {
    await world.close();
    database.close();
  });
}

/** Lengths of time, ms. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** As the host calls, in the workspace. */
export const host = () => ({ workspaceId: workspace.id });

export type SendInput = Parameters<World["posthorn"]["emails"]["send"]>[0];

/** Sends a small e-mail; what is given goes before what it would say. */
export const send = (input: Partial<SendInput> = {}) =>
  world.posthorn.emails.send({ subject: "Hi", text: "Hello", to: ["ada@example.com"], ...input }, host());

/** One of the workspace's e-mails. */
export const get = (emailId: string) => world.posthorn.emails.get({ emailId }, host());

/** Puts the workspace on a plan with these limits alone. */
export async function limitTo(
  limits: Omit<Parameters<World["posthorn"]["plans"]["create"]>[0], "name">,
): Promise<void> {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Small", ...limits }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
}

/** What the workspace's events of a type say of themselves, newest first. */
export const eventsOf = async (type: string) =>
  (await world.storage.events.list({ workspaceId: workspace.id, type }, { offset: 0, limit: 100 })).items.map(
    ({ metadata }) => JSON.parse(metadata),
  );

/** The code of each call that was refused, `ok` for the others. */
export async function codesOf(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code));
}
