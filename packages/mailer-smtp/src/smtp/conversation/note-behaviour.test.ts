import { expect, onTestFinished, test, vi } from "vitest";
import { deliver, named, sendAll, told } from "../../../test/named-mails.ts";
import { fast, openPool } from "../../../test/open-pool.ts";
import { passTime, stopTime } from "../../../test/pass-time.ts";
import { steadyClock } from "../pool/pool-clock.ts";

const minutes = 60_000;

test("that a server refuses to report is tried anew after ten minutes, and as long as it does after twice that time", async () => {
  let time = 0;
  const does = (): boolean => time < 70 * minutes || time >= 110 * minutes;
  const { pool, server } = await openPool(
    {
      extensions: ["PIPELINING", "DSN"],
      command: (line) => (does() && line.includes("NOTIFY=") ? "501 5.5.4 bad NOTIFY" : null),
    },
    { clock: { now: () => time, after: fast.after } },
  );
  const asked: number[] = [];
  for (time of [0, 9, 10, 29, 30, 69, 70, 109, 110, 119, 120].map((after) => after * minutes)) {
    const { length } = server.commands;
    expect(told(await deliver(pool, "bob"))).toBe("accepted 250");
    if (server.commands.slice(length).some((line) => line.includes("NOTIFY="))) asked.push(time / minutes);
  }
  expect(asked).toEqual([0, 10, 30, 70, 109, 110, 120]);
});

test("that a server does not answer pipelined commands is tried anew", async () => {
  onTestFinished(stopTime());
  const pipelined: number[] = [];
  let isSenderJustHeard = false;
  const { pool, server } = await openPool(
    {
      command(line, { number }) {
        if (line.startsWith("MAIL")) {
          isSenderJustHeard = true;
          queueMicrotask(() => (isSenderJustHeard = false));
        } else if (line.startsWith("RCPT") && isSenderJustHeard) pipelined.push(number);
        return number === 1 && /^(?:RCPT|DATA)/.test(line) ? undefined : null;
      },
    },
    { connections: 1, clock: steadyClock, idleTime: 3_600_000 },
  );
  const first = passTime(deliver(pool, "ann"), { stepMs: 100, since: server.silent });
  expect(told(await first)).toBe("accepted 250");
  expect(pipelined).toEqual([1]);
  vi.advanceTimersByTime(10 * minutes);
  expect(told(await deliver(pool, "bob"))).toBe("accepted 250");
  expect(pipelined).toEqual([1, 2]);
});

test("so is one that was silent to an envelope behind a content, but not one that then left the content in doubt", async () => {
  onTestFinished(stopTime());
  const followed: string[] = [];
  let loss: "envelope" | "answer" = "envelope";
  const { pool } = await openPool(
    {
      dot(_, session) {
        if (!session.behind.includes("DATA\r\n")) return null;
        followed.push(loss);
        session.behind = "";
        if (loss === "envelope") return null;
        session.socket.destroy();
        return undefined;
      },
    },
    { connections: 1, clock: steadyClock },
  );
  const send = async () => passTime(sendAll(pool, named(5)), { stepMs: 100 });
  expect(await send()).not.toContain("deferred");
  vi.advanceTimersByTime(10 * minutes);
  loss = "answer";
  expect((await send()).filter((end) => end === "deferred, in doubt")).toHaveLength(1);
  vi.advanceTimersByTime(60 * minutes);
  expect(await send()).not.toContain("deferred, in doubt");
  expect(followed).toEqual(["envelope", "answer"]);
});
