import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { accepted, named, nameOf, sendAll } from "../../../test/named-mails.ts";
import { openPool } from "../../../test/open-pool.ts";
import { stopTime } from "../../../test/pass-time.ts";
import type { Script } from "../../../test/scripted-server.ts";
import { steadyClock } from "../pool/pool-clock.ts";

let letTimePass: () => void;
beforeEach(() => {
  letTimePass = stopTime();
});
afterEach(() => letTimePass());

/** Opens a pool with one connection; `followed` are the contents behind which another envelope came. */
async function open({ command, dot }: Script) {
  const followed: string[] = [];
  const { pool } = await openPool(
    {
      command: command ?? (() => null),
      dot(content, session) {
        if (session.behind.includes("DATA\r\n")) followed.push(nameOf(content));
        return dot?.(content, session) ?? null;
      },
    },
    { connections: 1, clock: steadyClock },
  );
  return { pool, followed };
}

const refusingSender = (which: string): Script => ({
  command: (line) => (line.startsWith(`MAIL FROM:<${which}@`) ? "554 5.7.1 no" : null),
});
const refusingContent = (which: string): Script => ({
  dot: (content) => (nameOf(content) === which ? "554 5.7.1 no" : null),
});

test("a sender that is refused with nothing before it as well is no fault of the envelope's place", async () => {
  const { pool, followed } = await open(refusingSender("m4"));
  expect(await sendAll(pool, named(12))).toEqual(accepted(12).with(4, "refused 554"));
  expect(followed).toContain("m9");
});

test.each([
  ["sender", 2, refusingSender("m2")],
  ["content", 1, refusingContent("m1")],
])("nor is the %s of the first that tries it: it is tried again a minute later", async (_, which, script) => {
  const { pool, followed } = await open(script);
  expect(await sendAll(pool, named(4))).toEqual(accepted(4).with(which, "refused 554"));
  expect(followed).toEqual(["m1"]);
  vi.advanceTimersByTime(60_000);
  await sendAll(pool, ["a0", "a1", "a2", "a3", "a4"]);
  expect(followed.length).toBeGreaterThan(2);
});
