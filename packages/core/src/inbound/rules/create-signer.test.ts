import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createSigner } from "./create-signer.ts";

test("computes the same signature as Node, for any lengths of key and message", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 130, size: "max" }),
      fc.uint8Array({ maxLength: 9 }),
      (key, message) => {
        const sign = createSigner(key, message.length);
        sign(new Uint8Array(message.length).fill(9));
        expect(sign(message)).toBe(createHmac("sha256", key).update(message).digest("hex"));
      },
    ),
    { numRuns: 100 },
  );
});

test("refuses a message of another length", () => {
  expect(() => createSigner(Buffer.alloc(32), 8)(Buffer.alloc(7))).toThrow(RangeError);
});
