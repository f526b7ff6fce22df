import { expect, test } from "vitest";
import { createBehaviour } from "../../conversation/note-behaviour.ts";
import type { PooledConnection } from "../line/create-idle-connections.ts";
import { createEvidence } from "../server/create-evidence.ts";
import { createPace } from "../server/create-pace.ts";
import { createServerState } from "../server/create-server-state.ts";
import type { ServerAccess } from "../server/server-access.ts";
import { faceTrouble } from "./face-trouble.ts";
import type { Journey } from "./journey.ts";

test("once a connection refuses one message after the other, others that have carried as many may be at a limit, too", () => {
  const access = {
    state: createServerState(10, true),
    evidence: createEvidence(),
    pace: createPace(undefined),
    line: { open: () => 10, isAlone: () => false },
    clock: { now: () => 0 },
    behaviour: { ...createBehaviour(100), carried: 100 },
  } as unknown as ServerAccess;
  const refuseOn = (pooled: { messages: number; refusals: number }) => {
    pooled.messages += 1;
    const journey = {
      key: Symbol(),
      delivery: { to: [] },
      endings: [undefined],
      until: Number.POSITIVE_INFINITY,
      turns: 1,
      failures: 0,
      limits: 0,
      contents: 0,
      isFresh: false,
    } as unknown as Journey;
    const mayStay = faceTrouble(access, journey, pooled as unknown as PooledConnection, {
      isSenderTaken: false,
      endings: journey.endings,
      trouble: {
        verdict: "limited",
        isContent: false,
        isSlow: false,
        isTooSlow: false,
        ending: { outcome: "deferred", reply: "452 4.5.0 too many messages", code: 452 },
      },
    });
    return [mayStay, journey.isFresh];
  };
  const first = { messages: 20, refusals: 0 };
  expect([1, 2, 3, 4].map(() => refuseOn(first))).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [false, false],
  ]);
  expect(refuseOn({ messages: 20, refusals: 0 })).toEqual([false, true]);
  expect(refuseOn({ messages: 10, refusals: 0 })).toEqual([true, false]);
});
