import { expect, test } from "vitest";
import { z } from "zod";
import { useCase } from "./use-case.ts";

const declare = (input: unknown): unknown =>
  useCase({ access: "anonymous", input: input as z.ZodType, run: async () => undefined });

/** As of zod 3, which has neither `_zod` nor `def`. */
const older = { _def: { typeName: "ZodObject" }, parse: () => ({}) };

test.each([[older], [undefined], [{ prefix: "a" }]])("refuses %j as the schema of an input", (input) => {
  expect(() => declare(input)).toThrow(
    new TypeError(`useCase's input must be a schema of zod 4, which zod 3.25 has as "zod/v4"`),
  );
});

test("takes a schema of zod 4", () => {
  expect(declare(z.strictObject({}))).toMatchObject({ access: "anonymous" });
});
