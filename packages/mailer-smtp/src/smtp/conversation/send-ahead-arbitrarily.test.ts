import type { MailResult } from "@posthorn/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { openPool } from "../../../test/open-pool.ts";
import type { Script, ScriptedSession } from "../../../test/scripted-server.ts";
import { sourceOf } from "../../compose/message-source.ts";

/** What a server may do at a step, as often as it is named. */
const usual = ["", "", "", "", ""];
const whims = fc.infiniteStream(
  fc.record({
    mail: fc.constantFrom(...usual, "450 4.2.0 later", "550 5.7.1 no", "421 4.3.2 closing", "hang up"),
    rcpt: fc.constantFrom(...usual, "450 4.2.0 later", "550 5.1.1 nobody", "452 4.5.3 too many", "hang up"),
    data: fc.constantFrom(...usual, "451 4.3.0 later", "554 5.5.1 no recipients", "hang up"),
    dot: fc.constantFrom(...usual, "451 4.3.0 later", "554 5.7.1 spam", "250 and hang up", "hang up"),
    loses: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 0, 9, 1000),
  }),
);
type Whims = typeof whims extends fc.Arbitrary<fc.Stream<infer T>> ? T : never;

/** A server that follows its whims, and knows whom it took which content for. */
function createWhimsicalServer(next: () => Whims) {
  const taken: { content: string; to: string[] }[] = [];
  const states = new WeakMap<ScriptedSession, { whims: Whims; from?: string; to: string[] }>();
  const hangUp = ({ socket }: ScriptedSession): undefined => void socket.destroy();
  const script: Script = {
    command(line, session) {
      const verb = line.slice(0, 4);
      if (verb === "MAIL") states.set(session, { whims: next(), to: [] });
      const state = states.get(session);
      if (["EHLO", "QUIT", "RSET"].includes(verb)) return null;
      if (!["MAIL", "RCPT", "DATA"].includes(verb)) return "500 5.5.1 what?";
      if (state === undefined) return "503 5.5.1 no sender yet";
      const { mail, rcpt, data } = state.whims;
      const whim = verb === "MAIL" ? mail : verb === "RCPT" ? rcpt : data;
      if (verb === "MAIL" && whim !== "") states.delete(session);
      if (whim === "hang up") return hangUp(session);
      if (whim.startsWith("421")) session.socket.end("421 4.3.2 closing\r\n");
      if (whim !== "") return whim.startsWith("421") ? undefined : whim;
      if (verb === "RCPT") state.to.push(line.slice(9, -1));
      return verb === "DATA" && state.to.length === 0 ? "554 5.5.1 no recipients" : null;
    },
    dot(content, session) {
      const state = states.get(session);
      states.delete(session);
      session.behind = session.behind.slice(state?.whims.loses);
      const whim = state?.whims.dot ?? "";
      if (whim === "" || whim.startsWith("250")) taken.push({ content, to: state?.to ?? [] });
      if (whim.endsWith("hang up")) return hangUp(session);
      return whim === "" ? null : whim;
    },
  };
  return { script, taken };
}

test("however a server behaves, it receives each message as often as reported, and for its own recipients", async () => {
  await fc.assert(
    fc.asyncProperty(whims, fc.integer({ min: 1, max: 3 }), async (stream, connections) => {
      const { script, taken } = createWhimsicalServer(() => stream.next().value);
      const { pool } = await openPool(script, {
        connections,
        // A server that lost something says nothing.
        timeouts: { connect: 90_000, greeting: 90_000, command: 50, dot: 90_000, conversation: 600_000 },
      });
      const results = new Map<string, MailResult>();
      const send = async (name: string) => {
        const to = [`${name}a@example.net`, `${name}b@example.net`];
        const source = sourceOf([Buffer.from(`Subject: ${name}\r\n\r\nhello\r\n`)]);
        const from = `${name}@example.org`;
        results.set(name, await pool.deliver({ from, to, source, isInternational: false }));
      };
      await Promise.all(Array.from({ length: 25 }, (_, index) => send(`m${index}x`)));
      const count = new Map<string, number>();
      for (const { content, to } of taken)
        for (const address of to) {
          expect(address).toContain(/Subject: (\w+)/.exec(content)?.[1]);
          count.set(address, (count.get(address) ?? 0) + 1);
        }
      for (const { recipients, inDoubt } of results.values())
        for (const { address, outcome } of recipients) {
          const times = count.get(address) ?? 0;
          if (outcome === "accepted") expect(times).toBe(1);
          else expect(times).toBeLessThanOrEqual(inDoubt ? 1 : 0);
        }
      pool.close();
    }),
    { numRuns: 15 },
  );
});
