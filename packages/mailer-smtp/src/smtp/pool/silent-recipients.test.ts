import { beforeEach, expect, test } from "vitest";
import { deliver } from "../../../test/named-mails.ts";
import { openPool } from "../../../test/open-pool.ts";
import { passTime, stopTime } from "../../../test/pass-time.ts";
import type { ScriptedSession } from "../../../test/scripted-server.ts";

beforeEach(stopTime);

const addressesOf = (names: readonly string[]): string[] => names.map((name) => `${name}@example.net`);

test.each([
  ["amid others", ["a", "bad", "b"], ["accepted", "deferred", "accepted"]],
  ["as the last", ["a", "b", "bad"], ["accepted", "accepted", "deferred"]],
  // A server that is down is as silent.
  ["as the first", ["bad", "a", "b"], ["deferred", "deferred", "deferred"]],
])(
  "a recipient %s at whom a server falls silent delays no others, once it has taken some",
  async (_, names, outcomes) => {
    for (const extensions of [["PIPELINING"], []]) {
      const dead = new Set<ScriptedSession>();
      const { server, pool } = await openPool({
        extensions,
        command(line, session) {
          if (line.startsWith("RCPT TO:<bad")) dead.add(session);
          return dead.has(session) ? undefined : null;
        },
      });
      await deliver(pool, "before");
      const send = async (to: string[]) => {
        const sent = deliver(pool, "m", { to });
        const { recipients, held } = await passTime(sent, { stepMs: 1000, since: server.silent });
        expect(held).toBeUndefined();
        return recipients.map(({ outcome }) => outcome);
      };
      expect(await send(addressesOf(names))).toEqual(outcomes);
      expect(await send(addressesOf(["bad", "c", "d"]))).toEqual(["deferred", "accepted", "accepted"]);
    }
  },
);
