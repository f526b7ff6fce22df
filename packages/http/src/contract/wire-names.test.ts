import { snakeCase, useCases } from "@posthorn/core/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { fromWire, shapeOf, toWireFault } from "./wire-names.ts";

const schema = z
  .strictObject({
    templateId: z.uuid(),
    templateData: z.record(z.string(), z.unknown()).default({}),
    recipients: z
      .array(
        z.strictObject({ displayName: z.string().optional(), sampleData: z.record(z.string(), z.unknown()) }),
      )
      .optional(),
    replyTo: z.union([z.string().transform((one) => [one]), z.array(z.string())]).default([]),
    target: z.union([z.literal("all"), z.strictObject({ userIds: z.array(z.int()) })]).optional(),
    maxSizeMb: z.preprocess((value) => value, z.int()).nullable(),
  })
  .refine(() => true);
const shape = shapeOf(schema);

describe("names from the wire", () => {
  test("are mapped through lists, choices, defaults and refinements", () => {
    const wire = {
      template_id: "a",
      recipients: [{ display_name: "Ada", sample_data: { display_name: 1, displayName: 2 } }],
      reply_to: ["a"],
      target: { user_ids: [1] },
      max_size_mb: 3,
    };
    expect(fromWire(shape, wire)).toEqual({
      templateId: "a",
      recipients: [{ displayName: "Ada", sampleData: { display_name: 1, displayName: 2 } }],
      replyTo: ["a"],
      target: { userIds: [1] },
      maxSizeMb: 3,
    });
  });

  test("leave every record as it is, whatever its keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (data) => {
        const input = fromWire(shape, { template_data: data }) as { templateData: unknown };
        expect(input.templateData).toBe(data);
      }),
    );
  });

  test("never set a prototype", () => {
    const input = fromWire(shape, JSON.parse('{"__proto__": {"templateId": "a"}, "constructor": 1}'));
    expect(Object.keys(input as object)).toEqual(["?__proto__", "?constructor"]);
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
  });

  test.each(["templateId", "?templateId", "template_Id", "TEMPLATE_ID", ""])(
    "the unknown field %j is refused, and reported by its own name",
    (name) => {
      const parsed = schema.safeParse(fromWire(shape, { [name]: "a" }));
      const issue = parsed.error?.issues.find(({ code }) => code === "unrecognized_keys");
      const keys = issue?.code === "unrecognized_keys" ? issue.keys : [];
      expect(keys.map((key) => toWireFault(shape, { path: key, message: "" }).path)).toEqual([name]);
    },
  );
});

describe("paths to the wire", () => {
  test.each([
    ["templateId", "template_id"],
    ["recipients.0.displayName", "recipients.0.display_name"],
    ["recipients.3.sampleData.fooBar.bazQux", "recipients.3.sample_data.fooBar.bazQux"],
    ["target.userIds.1", "target.user_ids.1"],
    ["templateData.templateId", "template_data.templateId"],
    ["templateData.?templateId", "template_data.?templateId"],
    ["", ""],
  ])("%s is %s", (path, wire) => {
    expect(toWireFault(shape, { path, message: "is required" })).toEqual({
      path: wire,
      message: "is required",
    });
  });
});

test.each([
  ["maxApiKeys", "max_api_keys"],
  ["id", "id"],
  ["emailLogRetentionDays", "email_log_retention_days"],
])("%s is %s on the wire", (key, name) => {
  expect(snakeCase(key)).toBe(name);
});

test("a time is a string in JSON, though a host may pass a number", () => {
  const shape = shapeOf(useCases.emails.send.input);
  expect(fromWire(shape, { scheduled_at: 5 })).toEqual({ scheduledAt: "5" });
  const { error } = useCases.emails.send.input.safeParse({ scheduledAt: "5" });
  expect(error?.issues.map(({ path }) => path.join("."))).toContain("scheduledAt");
});
