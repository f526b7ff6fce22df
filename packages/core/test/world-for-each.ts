import type { Database } from "better-sqlite3";
import { afterEach, beforeEach } from "vitest";
import { openTestHandle, openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld, type TestWorkspace, type World, type WorldOptions } from "../src/testing/index.ts";

/** The world of the current test. */
export let world: World;
/** A workspace in the world. */
export let workspace: TestWorkspace;
/** The world's database, for tests that read it directly. */
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

/** Replaces the test's world by another. */
export async function reopenWorld(options: WorldOptions): Promise<void> {
  await world.close();
  await open(options);
}

/** Does the same on a database that the test may read and damage. */
export function openDatabaseForEach(): void {
  beforeEach(async () => {
    const opened = await openTestHandle();
    database = opened.database;
    world = await createWorld(opened.storage);
    workspace = await world.addWorkspace();
  });
  afterEach(() => world.close());
}

/** Durations in ms. */
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Call options of the host, in the workspace. */
export const host = () => ({ workspaceId: workspace.id });

export type SendInput = Parameters<World["posthorn"]["emails"]["send"]>[0];

/** Sends a small e-mail; the given fields override its own. */
export const send = (input: Partial<SendInput> = {}) =>
  world.posthorn.emails.send({ subject: "Hi", text: "Hello", to: ["ada@example.com"], ...input }, host());

/** Returns one of the workspace's e-mails. */
export const get = (emailId: string) => world.posthorn.emails.get({ emailId }, host());

/** Assigns the workspace a plan with only these limits. */
export async function limitTo(
  limits: Omit<Parameters<World["posthorn"]["plans"]["create"]>[0], "name">,
): Promise<void> {
  const as = { as: await world.addUser({ admin: true }) };
  const plan = await world.posthorn.plans.create({ name: "Small", ...limits }, as);
  await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id }, as);
}

/** Returns the metadata of the workspace's events of a type, newest first. */
export const eventsOf = async (type: string) =>
  (await world.storage.events.list({ workspaceId: workspace.id, type }, { offset: 0, limit: 100 })).items.map(
    ({ metadata }) => JSON.parse(metadata),
  );

/** Returns the error code of each refused call, `ok` for the others. */
export async function codesOf(calls: Promise<unknown>[]): Promise<string[]> {
  const settled = await Promise.allSettled(calls);
  return settled.map((one) => (one.status === "fulfilled" ? "ok" : (one.reason as { code: string }).code));
}
