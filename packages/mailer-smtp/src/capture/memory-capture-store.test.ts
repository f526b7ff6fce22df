import { expect, test } from "vitest";
import type { CapturedMailDetail } from "./captured-mail.ts";
import { createMemoryCaptureStore } from "./memory-capture-store.ts";

const mail = (id: string, content: Partial<CapturedMailDetail>): CapturedMailDetail => ({
  ...{ id, emailId: id, messageId: "", from: { name: "", address: "a@b.example" }, to: [], subject: "" },
  ...{ receivedAt: 0, preview: "", size: 0, attachmentCount: 0, headers: [], attachments: [], missing: [] },
  ...{ html: "", text: "", source: "" },
  ...content,
});

test("drops the oldest mails above 256 MiB, whether sources, html or texts take them", async () => {
  const store = createMemoryCaptureStore(1000);
  const large = "x".repeat(100 * 1024 * 1024);
  for (const [at, name] of ["source", "html", "text"].entries())
    await store.add(mail(`${at}`, { [name]: large }));
  expect(store.list().map(({ id }) => id)).toEqual(["2", "1"]);
  await store.add(mail("3", { source: "small" }));
  expect(store.list()).toHaveLength(3);
});
