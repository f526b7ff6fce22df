import { expect, test } from "vitest";
import type { ClaimedEmail, Storage } from "../../../ports/storage.ts";
import { createAttachmentReader } from "./attachment-reader.ts";
import { createPayloadReader } from "./payload-reader.ts";

const claimedOf = (name: string, bytes: number) =>
  ({ route: "s:1:1", bytes, lease: { name } }) as unknown as ClaimedEmail;
const nameOf = ({ lease }: ClaimedEmail) => (lease as unknown as { name: string }).name;

test("tells which e-mails had to wait for memory, once they have it", async () => {
  const storage = {
    emailQueue: { payloads: async (leases: unknown[]) => leases.map(() => undefined) },
  } as unknown as Pick<Storage, "emailQueue">;
  const admitted: string[] = [];
  const reader = createPayloadReader(storage, (claimed) => admitted.push(nameOf(claimed)));
  const gate = Promise.withResolvers<void>();
  const large = 20 * 1024 * 1024;
  const first = reader.use(claimedOf("first", large), () => gate.promise);
  const second = reader.use(claimedOf("second", large), async () => [...admitted]);
  await reader.use(claimedOf("small", 10), async () => {});
  expect(admitted).toEqual([]);
  gate.resolve();
  await first;
  expect(await second).toEqual(["second"]);
});

test("tells of e-mails whose files had to wait for memory, too", async () => {
  const items = new Map([[7, [{ size: 80 * 1024 * 1024 }]]]);
  const storage = { attachments: { listItems: async () => items } } as unknown as Pick<
    Storage,
    "attachments"
  >;
  const reader = createAttachmentReader(storage);
  const admitted: string[] = [];
  const gate = Promise.withResolvers<void>();
  const use = (name: string, work: () => Promise<unknown>) =>
    reader.use({ setId: 7, route: "w:1", onAdmitted: () => void admitted.push(name) }, work);
  const begun = Promise.withResolvers<void>();
  const first = use("first", () => {
    begun.resolve();
    return gate.promise;
  });
  await begun.promise;
  const second = use("second", async () => [...admitted]);
  gate.resolve();
  await first;
  expect(await second).toEqual(["second"]);
});
