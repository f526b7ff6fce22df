import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createUuidSource } from "./uuid.ts";

const timeOf = (id: string) => Number.parseInt(id.replace("-", "").slice(0, 12), 16);

describe("createUuidSource", () => {
  test("writes version 7 and the variant, with the time in the first 48 bits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 47 }), (now) => {
        const id = createUuidSource()(now);
        expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
        expect(timeOf(id)).toBe(now);
      }),
    );
  });

  test("increases strictly within one millisecond, over many refills of the pool", () => {
    const createUuid = createUuidSource();
    let before = "";
    for (let i = 0; i < 20_000; i++) {
      const id = createUuid(1_700_000_000_000);
      expect(id > before).toBe(true);
      before = id;
    }
  });

  test("increases over small backward steps of the clock", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 50, size: "max" }), (offsets) => {
        const createUuid = createUuidSource();
        const ids = offsets.map((offset) => createUuid(1_700_000_000_000 + offset));
        expect([...ids].sort()).toEqual(ids);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test("follows a clock that was set back permanently", () => {
    const createUuid = createUuidSource();
    createUuid(1_700_003_600_000);
    expect(timeOf(createUuid(1_700_000_000_000))).toBe(1_700_000_000_000);
  });

  test("two sources never produce the same id", () => {
    const [one, two] = [createUuidSource(), createUuidSource()];
    const ids = Array.from({ length: 2_000 }, () => [one(1), two(1)]).flat();
    expect(new Set(ids).size).toBe(4_000);
  });
});
