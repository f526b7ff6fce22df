import { type Posthorn, ServiceError, type Storage, StorageUnavailable } from "@posthorn/core";
import { createWorld, type TestWorkspace, type World } from "@posthorn/core/testing";
import { afterAll, beforeAll, describe } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { openTestPostgres } from "./open-test-storage.ts";

const rounds = Number(process.env["ROUNDS"] ?? 2);
export const racers = 50;

const engines: { name: string; open: () => Promise<Storage> }[] = [
  { name: "SQLite", open: () => openTestSqlite() },
  { name: "PostgreSQL", open: () => openTestPostgres() },
];

/** A service used concurrently. Its world exists when the tests run. */
export interface Races {
  readonly world: World;
  readonly posthorn: Posthorn;
  /**
   * Runs all functions at once; returns the result of each: `done`, or the code of its refusal. Any other error is
   * rethrown.
   */
  race(start: (racer: number) => Promise<unknown>): Promise<string[]>;
  /** Runs the test twice, or `ROUNDS` times. */
  inRounds(round: () => Promise<void>): Promise<void>;
  makePlan(limits?: object): Promise<{ id: number }>;
  /** Creates a workspace with a plan of these limits. */
  withPlan(limits: object): Promise<TestWorkspace>;
}

/** Counts the results that are `done`. */
export const done = (outcomes: string[]): number => outcomes.filter((each) => each === "done").length;

/** Describes what must hold under any concurrency (reliability.md, threats 6 to 8, 23 and 25 to 29), on both engines. */
export function describeRaces(name: string, tests: (races: Races) => void): void {
  describe.each(engines)(`${name} on $name`, ({ open }) => {
    let world: World;
    beforeAll(async () => {
      world = await createWorld(await open());
    });
    afterAll(() => world.close());
    let plans = 0;
    const races: Races = {
      get world() {
        return world;
      },
      get posthorn() {
        return world.posthorn;
      },
      race: (start) =>
        Promise.all(Array.from({ length: racers }, async (_, racer) => outcomeOf(() => start(racer)))),
      async inRounds(round) {
        for (let at = 0; at < rounds; at += 1) await round();
      },
      makePlan: (limits = {}) => world.posthorn.plans.create({ name: `made ${++plans}`, ...limits }),
      async withPlan(limits) {
        const [workspace, plan] = [await world.addWorkspace(), await races.makePlan(limits)];
        await world.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id });
        return workspace;
      },
    };
    tests(races);
  });
}

async function outcomeOf(run: () => Promise<unknown>): Promise<string> {
  try {
    await run();
    return "done";
  } catch (error) {
    if (error instanceof ServiceError && error.code !== "internal_error") return error.code;
    if (error instanceof StorageUnavailable) return "unavailable";
    throw error;
  }
}
