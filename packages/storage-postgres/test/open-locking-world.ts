import type { Storage } from "@posthorn/core/storage";
import { createWorld, type MemoryMailer, type World } from "@posthorn/core/testing";
import pg from "pg";
import { onTestFinished } from "vitest";
import { createPostgresStorage, type PostgresTransaction } from "../src/index.ts";
import { eventually } from "./eventually.ts";
import { takeTestSchema, unhurried } from "./open-test-storage.ts";

type TestStorage = Storage<PostgresTransaction>;

/** A world for tests of transactions that wait for each other; it closes with the test. */
export interface LockingWorld {
  storage: TestStorage;
  world: World<MemoryMailer, PostgresTransaction>;
  schema: string;
  /** Whether a query on a separate connection finds a row. */
  finds(query: string): Promise<boolean>;
  /** Whether a transaction waits for another one. */
  isWaiting(): Promise<boolean>;
  /** Waits until one does, or the work has ended. */
  untilWaiting(work?: Promise<unknown>): Promise<void>;
  /** Opens a host's connection with an open transaction. */
  openHost(): Promise<pg.Client>;
}

/** Opens one; `wrap` replaces the storage that its service uses, and a statement waits for a lock for `lockMs` at most. */
export async function openLockingWorld(
  wrap = (storage: TestStorage): TestStorage => storage,
  { lockMs, ...options }: { registration?: "open"; lockMs?: number } = {},
): Promise<LockingWorld> {
  const { connectionString, schema, giveBack } = await takeTestSchema();
  const timeouts = lockMs === undefined ? unhurried : { ...unhurried, lock: lockMs };
  const storage = await createPostgresStorage({ connectionString, schema, timeouts });
  const world = await createWorld(wrap(storage), options);
  const clients: pg.Client[] = [];
  const connect = async (pipeline = false): Promise<pg.Client> => {
    const client = new pg.Client({ connectionString, pipeline });
    await client.connect();
    clients.push(client);
    return client;
  };
  // One for all looks: a look is repeated every few ms, and a connection costs the server more than its answer.
  const watcher = await connect(true);
  onTestFinished(async () => {
    for (const client of clients) await client.end();
    await world.close();
    await giveBack();
  });
  const finds = async (query: string): Promise<boolean> => (await watcher.query(query)).rows.length > 0;
  const isWaiting = () => finds("select 1 from pg_stat_activity where wait_event_type = 'Lock'");
  return {
    storage,
    world,
    schema,
    finds,
    isWaiting,
    async untilWaiting(work) {
      let hasEnded = false;
      const end = () => {
        hasEnded = true;
      };
      work?.then(end, end);
      await eventually(async () => hasEnded || isWaiting());
    },
    async openHost() {
      const host = await connect();
      await host.query("begin");
      return host;
    },
  };
}
