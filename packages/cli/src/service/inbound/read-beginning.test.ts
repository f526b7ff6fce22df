import { expect, test } from "vitest";
import { readBeginning } from "./read-beginning.ts";

/** Yields each text as bytes, all in the same memory, as a stream does that reads into one buffer. */
async function* inOneBuffer(texts: string[]): AsyncGenerator<Buffer> {
  const memory = Buffer.alloc(Math.max(...texts.map(({ length }) => length)));
  for (const text of texts) yield memory.subarray(0, memory.write(text, "latin1"));
}

test("keeps no piece of a message, but its bytes", async () => {
  const texts = ["Subject: ", "é", "", "\r\n", ...Array<string>(5000).fill("\r\n."), "end"];
  expect(await readBeginning(inOneBuffer(texts))).toBe(texts.join(""));
  expect(await readBeginning(inOneBuffer([""]))).toBe("");
});

test("reads a message to its end, and returns its first MiB", async () => {
  let read = 0;
  async function* pieces() {
    for (const byte of ["a", "b", "c", "d", "e"]) {
      read += 1;
      yield Buffer.alloc(300_000, byte);
    }
  }
  const kept = await readBeginning(pieces());
  expect([kept.length, kept.slice(0, 2), kept.slice(-2), read]).toEqual([1_048_576, "aa", "dd", 5]);
});
