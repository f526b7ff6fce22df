import { expect, test } from "vitest";
import { batch, type Input, openBatchWorldForEach } from "../../../test/batch-world.ts";

openBatchWorldForEach();

// platform.md P2
test("an address that occurs twice gets its first sound entry if faulty ones are left out", async () => {
  const recipients = [
    { to: "ada@example.com" },
    { to: "ADA@example.com", templateData: { name: "Ada" } },
    { to: "ada@example.com", templateData: { name: "Ada" } },
  ];
  const asked: Input = { template: "offer", templateData: { shop: "Acme", price: 1 }, recipients };
  expect(await batch({ ...asked, onInvalid: "skip" })).toMatchObject({
    emails: [{ index: 1, to: "ADA@example.com" }],
    skipped: [
      { index: 0, code: "template_data_missing" },
      { index: 2, code: "validation_failed", details: [{ message: "ada@example.com is given twice" }] },
    ],
  });
  await expect(batch(asked)).rejects.toMatchObject({
    details: [
      { path: "recipients.0", code: "template_data_missing" },
      { path: "recipients.1.to", message: "ADA@example.com is given twice" },
      { path: "recipients.2.to" },
    ],
  });
});
