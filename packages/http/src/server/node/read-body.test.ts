import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBodyBudget } from "../body-budget.ts";
import { drainRest, openBody, readBody } from "./read-body.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A request whose body arrives in chunks, each some seconds after the one before; returns when it was destroyed. */
async function destroyedAfter(pauses: readonly number[]): Promise<number | undefined> {
  const body = new PassThrough();
  const rest = drainRest(Object.assign(body, { complete: false }) as unknown as IncomingMessage);
  let seconds = 0;
  for (const pause of pauses) {
    body.write("x");
    await new Promise(setImmediate);
    vi.advanceTimersByTime(pause * 1_000);
    seconds += pause;
    if (!body.destroyed) continue;
    await rest;
    return seconds;
  }
  body.destroy();
  await rest;
  return undefined;
}

test("a body that has arrived whole in several chunks is read whole", async () => {
  const body = new PassThrough();
  for (const chunk of ["ab", "cde", "f"]) body.write(chunk);
  await new Promise(setImmediate);
  const request = Object.assign(body, { complete: true, headers: { "content-length": "6" } });
  const onRead = vi.fn();
  const read = readBody(request as unknown as IncomingMessage, {
    maxBytes: 100,
    budget: createBodyBudget(100),
    onRead,
  });
  expect(String(await read)).toBe("abcdef");
  expect(onRead).not.toHaveBeenCalled();
});

test("a stream of a body joins the chunks that have arrived, however small", async () => {
  const body = new PassThrough();
  for (const letter of "abcdef") body.write(letter);
  body.end();
  const request = Object.assign(body, { complete: true, headers: {} }) as unknown as IncomingMessage;
  const pieces: string[] = [];
  for await (const piece of openBody(request, () => {})) pieces.push(String(piece));
  expect(pieces).toEqual(["abcdef"]);
});

test("the rest of a refused body is read as long as it arrives, but no longer than a request may take", async () => {
  expect(await destroyedAfter([4, 4, 4, 4, 4, 4, 4])).toBeUndefined();
  expect(await destroyedAfter([4, 4, 4, 4, 4, 4, 4, 4, 4])).toBe(32);
});

test("the rest of a refused body is given up after a pause", async () => {
  expect(await destroyedAfter([4, 5, 4])).toBe(9);
});
