import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createRequestTurns } from "./request-turns.ts";

let now = 0;
beforeEach(() => {
  now = 0;
  vi.spyOn(performance, "now").mockImplementation(() => now);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The next turn of the event loop, behind all that was scheduled for it. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A request that takes 2 ms, the last of them behind promises. */
function request(ran: string[], name: string): () => void {
  return () => {
    ran.push(name);
    void Promise.resolve()
      .then(() => {})
      .then(() => {
        now += 2;
      });
  };
}

/** Node calls back for each connection by itself, and settled promises go on between. */
const betweenConnections = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

async function arrive(
  take: ReturnType<typeof createRequestTurns>,
  ran: string[],
  names: readonly string[],
): Promise<void> {
  for (const name of names) {
    take(name.slice(0, 1), request(ran, name));
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  }
}

test("requests begin for 5 ms in a turn of the event loop, and those of others before a holder's next", async () => {
  const take = createRequestTurns();
  const ran: string[] = [];
  await arrive(take, ran, ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "c1"]);
  expect(ran).toEqual(["a1", "a2", "a3"]);
  await turn();
  await betweenConnections();
  expect(ran).toEqual(["a1", "a2", "a3", "a4", "b1", "c1"]);
  await turn();
  await betweenConnections();
  expect(ran).toEqual(["a1", "a2", "a3", "a4", "b1", "c1", "a5", "a6"]);
});

test("a request that takes longer than a turn's part keeps none of the others from beginning", async () => {
  const take = createRequestTurns();
  const ran: string[] = [];
  const long = (name: string) => () => {
    ran.push(name);
    now += 50;
  };
  for (const name of ["a", "b", "c"]) take(name, long(name));
  expect(ran).toEqual(["a"]);
  await turn();
  expect(ran).toEqual(["a", "b"]);
  await turn();
  expect(ran).toEqual(["a", "b", "c"]);
});

test("a request on an idle server begins at once", async () => {
  const take = createRequestTurns();
  const ran: string[] = [];
  for (const name of ["a1", "a2"]) {
    take("a", () => ran.push(name));
    await turn();
    await turn();
    now += 1_000;
  }
  take("a", () => ran.push("a3"));
  expect(ran).toEqual(["a1", "a2", "a3"]);
});
