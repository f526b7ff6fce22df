import fc from "fast-check";
import { expect, test } from "vitest";
import { gatherChunks } from "./gather-chunks.ts";

/** A chunk as the socket yields it: a part of what was read at once. */
function chunkOf(bytes: Uint8Array, readBytes = bytes.length): Uint8Array {
  const read = new Uint8Array(readBytes);
  read.set(bytes);
  return read.subarray(0, bytes.length);
}

test("joins chunks of any sizes, and counts no less than they have", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000)), (sizes) => {
      const chunks = sizes.map((size, at) => chunkOf(new Uint8Array(size).fill(at + 1)));
      const gathered = gatherChunks();
      const held = chunks.reduce((sum, chunk) => sum + gathered.add(chunk), 0);
      expect(Buffer.compare(gathered.join(), Buffer.concat(chunks))).toBe(0);
      expect(held).toBeGreaterThanOrEqual(Buffer.concat(chunks).length);
    }),
  );
});

test("chunks of one byte hold little more than their bytes, whatever was read with them", () => {
  const gathered = gatherChunks();
  let held = 0;
  for (let sent = 0; sent < 10_000; sent += 1) held += gathered.add(chunkOf(Uint8Array.of(sent), 10_000));
  expect(held).toBeLessThan(20_000);
  expect(gathered.join()).toHaveLength(10_000);
});

test("a single chunk counts with what was read with it, until it is copied", () => {
  const gathered = gatherChunks();
  expect(gathered.add(chunkOf(Uint8Array.of(1), 10_000))).toBe(10_000);
  expect(gathered.add(Uint8Array.of(2))).toBe(1024 - 10_000);
  expect([...gathered.join()]).toEqual([1, 2]);
});
