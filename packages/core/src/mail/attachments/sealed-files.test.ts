import { expect, test } from "vitest";
import { createFileSeal, openPiece, sealPiece } from "./sealed-files.ts";

const { key } = createFileSeal();

test("a chunk opens with its key at its position, and nowhere else", () => {
  const sealed = sealPiece(key, 3, "aGVsbG8=");
  expect(openPiece(key, 3, sealed).toString("latin1")).toBe("aGVsbG8=");
  expect(() => openPiece(key, 2, sealed)).toThrow(Error);
  expect(() => openPiece(createFileSeal().key, 3, sealed)).toThrow(Error);
});

test("equal chunks of a file differ once encrypted: no nonce is used twice with a key", () => {
  const sealed = [0, 1, 255, 256, 65_536].map((position) => sealPiece(key, position, "aGVsbG8="));
  expect(new Set(sealed).size).toBe(5);
});

test("a changed chunk is refused", () => {
  const bytes = Buffer.from(sealPiece(key, 0, "aGVsbG8="), "base64");
  bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
  expect(() => openPiece(key, 0, bytes.toString("base64"))).toThrow(Error);
});
