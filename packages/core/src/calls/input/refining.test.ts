import { describe, expect, test } from "vitest";
import { z } from "zod";
import { parseInput } from "./parse-input.ts";
import { refining, transforming } from "./refining.ts";

const faultsOf = (schema: z.ZodType, input: unknown): unknown => {
  try {
    return parseInput(schema, input);
  } catch (error) {
    return (error as { details: unknown }).details;
  }
};

describe("refining", () => {
  const even = refining((value: { at: number }, faults) => {
    if (value.at % 2 !== 0) faults.addIssue({ code: "custom", path: ["at"], message: "is odd" });
  });

  test("accepts a value without faults", () => {
    expect(parseInput(z.object({ at: z.number() }).check(even), { at: 2 })).toEqual({ at: 2 });
  });

  test("reports the path of a fault, nested values included", () => {
    const schema = z.object({ one: z.object({ at: z.number() }).check(even) });
    expect(faultsOf(schema, { one: { at: 1 } })).toEqual([{ path: "one.at", message: "is odd" }]);
  });

  test("continues with the following checks, as superRefine does", () => {
    const schema = z
      .object({ at: z.number() })
      .check(even)
      .refine(() => false, "is wrong");
    expect(faultsOf(schema, { at: 1 })).toEqual([
      { path: "at", message: "is odd" },
      { path: "", message: "is wrong" },
    ]);
  });

  test("runs only if its condition holds", () => {
    const schema = z
      .object({ at: z.number(), name: z.string() })
      .check(refining(() => expect.unreachable(), { when: ({ issues }) => issues.length === 0 }));
    expect(faultsOf(schema, { at: 1 })).toEqual([{ path: "name", message: "is required" }]);
  });
});

describe("transforming", () => {
  const number = z.string().pipe(
    transforming((text: string, faults): number => {
      if (/^\d+$/.test(text)) return Number(text);
      faults.addIssue({ code: "custom", message: "is no number" });
      return z.NEVER;
    }),
  );

  test("returns the transformed value", () => {
    expect(parseInput(z.object({ at: number }), { at: "12" })).toEqual({ at: 12 });
  });

  test("reports the path of a fault, and does not pass its result on", () => {
    const further = number.refine(() => expect.unreachable());
    expect(faultsOf(z.object({ at: z.array(further) }), { at: ["one"] })).toEqual([
      { path: "at.0", message: "is no number" },
    ]);
  });
});
