import type { IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createBodyBudget } from "../requests/body-budget.ts";
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

/** The file of a request whose stream the host's parser has read. */
async function fileAfter(left: object, length: number | undefined): Promise<Buffer> {
  const headers = length === undefined ? {} : { "content-length": String(length) };
  const request = { readableDidRead: true, headers, ...left } as unknown as IncomingMessage;
  const pieces: Uint8Array[] = [];
  for await (const piece of openBody(request, () => {})) pieces.push(piece);
  return Buffer.concat(pieces);
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

test.each([
  ["bytes", { body: Buffer.from([1, 2, 255]) }, 3],
  ["the bytes beside what it made of them", { rawBody: Buffer.from('{"a": 1}'), body: { a: 1 } }, 8],
  ["text of as many bytes", { body: "Größe" }, 7],
  ["text of a body without a length", { body: "Größe" }, undefined],
  ["something for an empty file", { body: {} }, 0],
])("a file is taken from a parser that left %s", async (_, left, length) => {
  expect((await fileAfter(left, length)).length).toBe(length ?? 7);
});

test.each([
  ["an object", { body: { a: 1 } }, 7],
  ["an object of a body without a length", { body: { a: 1 } }, undefined],
  ["text of other bytes", { body: "�" }, 1],
])("a file is refused after a parser that left %s", async (_, left, length) => {
  await expect(fileAfter(left, length)).rejects.toThrow("is not the file: mount the handler before");
});

test("the rest of a refused body is read as long as it arrives, but no longer than a request may take", async () => {
  expect(await destroyedAfter([4, 4, 4, 4, 4, 4, 4])).toBeUndefined();
  expect(await destroyedAfter([4, 4, 4, 4, 4, 4, 4, 4, 4])).toBe(32);
});

test("the rest of a refused body is given up after a pause", async () => {
  expect(await destroyedAfter([4, 5, 4])).toBe(9);
});
