import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Mailer, MailMessage, MailResult } from "../../../ports/mailer.ts";
import { acceptAll, answerAll } from "../../../testing/memory-mailer.ts";
import { createBoundedSend } from "./bounded-send.ts";

const hour = 3_600_000;
const message = { emailId: "e-1", envelope: { from: "", to: ["a@example.com", "b@example.com"] } };
const mail = message as unknown as MailMessage;
const logged: unknown[] = [];
let stopping: AbortController;
let isOurs: boolean;

beforeEach(() => {
  vi.useFakeTimers();
  logged.length = 0;
  stopping = new AbortController();
  isOurs = true;
});
afterEach(() => {
  vi.useRealTimers();
});

const sendBy = (send: Mailer["send"], timeoutMs?: number): Promise<MailResult> => {
  const rest = { concurrency: 1, verify: async () => undefined, close: async () => {} };
  const mailer: Mailer = { ...rest, send, ...(timeoutMs === undefined ? {} : { timeoutMs }) };
  const log = () => {};
  const keep = (told: object) => void logged.push(told);
  const logger = { debug: log, info: log, warn: keep, error: keep };
  return createBoundedSend({ mailer, logger })(mail, { signal: stopping.signal, isStillOurs: () => isOurs });
};

const givenUp = (seconds: number, inDoubt: boolean): MailResult => ({
  recipients: message.envelope.to.map((address) => ({
    address,
    outcome: "deferred",
    reply: `the mailer gave no result within ${seconds} s`,
  })),
  inDoubt,
});

const untilAborted = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => signal?.addEventListener("abort", () => resolve()));

test("gives a mailer up that never returns: after its time, and a second after its signal", async () => {
  let abortedAt: number | undefined;
  const begun = Date.now();
  const sent = sendBy((_, { signal } = {}) => {
    signal?.addEventListener("abort", () => {
      abortedAt = Date.now() - begun;
    });
    return new Promise(() => {});
  }, 30_000);
  await vi.advanceTimersByTimeAsync(29_999);
  expect(abortedAt).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  expect(abortedAt).toBe(30_000);
  await vi.advanceTimersByTimeAsync(1_000);
  expect(await sent).toEqual(givenUp(30, true));
  expect(logged).toEqual([{ emailId: "e-1", timeoutMs: 30_000, inDoubt: true }]);
  expect(vi.getTimerCount()).toBe(0);
});

test("waits one hour by default, and without end for a mailer that ends by itself", async () => {
  const never = () => new Promise<MailResult>(() => {});
  const ended = vi.fn();
  void sendBy(never, Number.POSITIVE_INFINITY).then(ended);
  await vi.advanceTimersByTimeAsync(10 * hour);
  expect(ended).not.toHaveBeenCalled();
  const sent = sendBy(never);
  await vi.advanceTimersByTimeAsync(hour + 1_000);
  expect(await sent).toEqual(givenUp(3600, true));
});

test("waits for weeks if a mailer asks for longer than a timer can be set", async () => {
  const sent = sendBy(() => new Promise(() => {}), 60 * 24 * hour);
  const ended = vi.fn();
  void sent.then(ended);
  await vi.advanceTimersByTimeAsync(24 * 24 * hour);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(24 * hour);
  expect(await sent).toMatchObject({ inDoubt: true });
});

test("takes a result that comes after the signal: what was accepted is not sent again", async () => {
  const sent = sendBy(async (_, { signal } = {}) => {
    await untilAborted(signal);
    return acceptAll(mail);
  }, 5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await sent).toEqual(acceptAll(mail));
  expect(vi.getTimerCount()).toBe(0);
});

test("tells of a result that comes once the attempt was given up: the message may arrive twice", async () => {
  const { promise, resolve } = Promise.withResolvers<MailResult>();
  const sent = sendBy(() => promise, 5_000);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await sent).toEqual(givenUp(5, true));
  resolve(acceptAll(mail));
  await promise;
  expect(logged.slice(1)).toEqual([{ emailId: "e-1" }]);
});

test("a message that had not begun by then is deferred without a doubt", async () => {
  const held = { cause: "closed", reason: "the mailer is closing", retryAfterMs: 1_000 } as const;
  const sent = sendBy(async (_, { signal } = {}) => {
    await untilAborted(signal);
    return { ...answerAll("deferred", undefined, "closing")(mail), held };
  }, 5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await sent).toEqual(givenUp(5, false));
});

test("a request that the signal ends leaves the message in doubt, an earlier error is the mailer's own", async () => {
  const sent = sendBy(async (_, { signal } = {}) => {
    await untilAborted(signal);
    throw signal?.reason;
  }, 5_000);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await sent).toEqual(givenUp(5, true));
  await expect(sendBy(() => Promise.reject(new Error("a bug")), 5_000)).rejects.toThrow("a bug");
  const plain = sendBy(() => acceptAll(mail) as never, 5_000);
  expect(await plain).toEqual(acceptAll(mail));
});

test("the stop of the worker reaches the mailer", async () => {
  const reasons: unknown[] = [];
  const send: Mailer["send"] = async (_, { signal } = {}) => {
    if (!signal?.aborted) await untilAborted(signal);
    reasons.push(signal?.reason);
    return acceptAll(mail);
  };
  const first = sendBy(send, 5_000);
  stopping.abort("stopping");
  await first;
  await sendBy(send, 5_000);
  expect(reasons).toEqual(["stopping", "stopping"]);
});

test.each([30_000, Number.POSITIVE_INFINITY])(
  "hands over nothing that another worker may have, with a time limit of %s ms",
  async (timeoutMs) => {
    isOurs = false;
    const send = vi.fn<Mailer["send"]>();
    expect(await sendBy(send, timeoutMs)).toMatchObject({ held: { cause: "closed" }, inDoubt: false });
    expect(send).not.toHaveBeenCalled();
  },
);

test.each([30_000, Number.POSITIVE_INFINITY])(
  "lets the mailer ask whether the message is still to be sent, with a time limit of %s ms",
  async (timeoutMs) => {
    const told: (boolean | undefined)[] = [];
    await sendBy(async (message, { isStillOurs } = {}) => {
      told.push(isStillOurs?.());
      isOurs = false;
      told.push(isStillOurs?.());
      return acceptAll(message);
    }, timeoutMs);
    expect(told).toEqual([true, false]);
  },
);
