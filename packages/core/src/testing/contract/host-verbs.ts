import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { useCases } from "../../use-cases.ts";
import type { MemoryMailer } from "../memory-mailer.ts";
import { createWorld, type World } from "../world.ts";
import type { TestHost } from "./host-transactions.ts";
import { mailCalls } from "./host-verbs/mail-calls.ts";
import { peopleCalls } from "./host-verbs/people-calls.ts";
import { settingCalls } from "./host-verbs/setting-calls.ts";
import type { VerbCalls } from "./host-verbs/verb-calls.ts";
import { type Inside, openVerbsWorld, type VerbsWorld } from "./host-verbs/world.ts";

const verbCalls: VerbCalls = { ...peopleCalls, ...settingCalls, ...mailCalls };

/** A host that can read all rows of the storage. */
export interface WatchedHost extends TestHost {
  /** Reads all rows of all tables as text, in any fixed order. */
  rows(): Promise<string[]>;
}

/** Wraps the storage to record each call that does not go to a transaction. */
function watch(storage: Storage<unknown>, look: (name: string) => void): Storage<unknown> {
  const watched = (name: string, part: unknown): unknown => {
    if (typeof part === "function")
      return (...args: unknown[]) => {
        look(name);
        return part(...args);
      };
    // What is neither, such as the version, is nothing to call.
    if (typeof part !== "object" || part === null) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, one]) => [key, watched(`${name}.${key}`, one)]),
    );
  };
  const { within, assertSound, ...parts } = storage;
  const ours = Object.entries(parts).map(([name, part]) => [name, watched(name, part)]);
  // Whether the file was found damaged is known without a look at it.
  return { ...storage, ...Object.fromEntries(ours), within, ...(assertSound && { assertSound }) };
}

/** The contract that no verb works outside the host's transaction, for every storage. */
export function testVerbsInHostTransactions(name: string, open: () => Promise<WatchedHost>): void {
  describe(`${name}: every verb inside a host's transaction that is rolled back`, () => {
    let host: WatchedHost;
    let world: World<MemoryMailer, unknown>;
    let given: VerbsWorld;
    let rows: string[];
    /** Calls that bypassed the transaction. */
    const left: string[] = [];
    beforeAll(async () => {
      host = await open();
      const storage = watch(host.storage, (call) => left.push(call));
      world = await createWorld(storage, { registration: "open", returnPathDomain: "in.post.example" });
      given = await openVerbsWorld(world);
      rows = (await host.rows()).sort();
    });
    afterAll(async () => {
      await world.close();
      await host.close();
    });

    const callInside = async (call: (at: Inside) => Promise<unknown>): Promise<void> => {
      const over = new RangeError("sold out");
      const rolledBack = host.transaction(async ({ transaction }) => {
        const posthorn = world.posthorn.within(transaction);
        await call({
          ...given,
          posthorn,
          shop: posthorn.workspace(given.workspaceId),
          owner: posthorn.as(given.ada),
          guest: posthorn.as(given.guestCaller),
        });
        throw over;
      });
      await expect(rolledBack).rejects.toBe(over);
    };

    test.each(Object.keys(useCases) as (keyof typeof useCases)[])("%s", async (aggregate) => {
      const told: unknown[] = [];
      const stop = world.posthorn.on("*", (event) => void told.push(event.type));
      for (const [verb, call] of Object.entries(verbCalls[aggregate])) {
        left.length = 0;
        await callInside(call).catch((error: unknown) => {
          throw new Error(`${aggregate}.${verb} failed inside the transaction`, { cause: error });
        });
        expect(left, `${aggregate}.${verb} went past the transaction`).toEqual([]);
      }
      const before = rows;
      rows = (await host.rows()).sort();
      expect(rows).toEqual(before);
      stop();
      expect(told).toEqual([]);
    });
  });
}
