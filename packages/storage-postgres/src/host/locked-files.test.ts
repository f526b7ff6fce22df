import type { World } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { openLockingWorld } from "../../test/open-locking-world.ts";
import type { PostgresTransaction } from "../index.ts";

type Posthorn = World<never, PostgresTransaction>["posthorn"];
type Call = { workspaceId: number; transaction?: PostgresTransaction };

const content = Buffer.from("the price list");
const letter = { to: ["ada@example.com"], subject: "Hi", text: "Hello." };
const within = { ...letter, attachments: [{ filename: "prices.txt", content }] };
const byId = (id: string) => ({ ...letter, attachments: [{ id }] });

/** What a host does with the file in a transaction that stays open, and what its workspace has uploaded before. */
const cases: {
  does: string;
  isUploaded: boolean;
  work: (posthorn: Posthorn, call: Call, uploadId: string) => Promise<unknown>;
}[] = [
  { does: "sends it first", isUploaded: false, work: ({ emails }, call) => emails.send(within, call) },
  { does: "sends it anew", isUploaded: true, work: ({ emails }, call) => emails.send(within, call) },
  { does: "sends the upload", isUploaded: true, work: ({ emails }, call, id) => emails.send(byId(id), call) },
  {
    does: "uploads it",
    isUploaded: true,
    work: ({ attachments }, call) => attachments.upload({ filename: "new.txt", content }, call),
  },
  {
    does: "deletes the upload",
    isUploaded: true,
    work: ({ attachments }, call, attachmentId) => attachments.delete({ attachmentId }, call),
  },
];

test.each(cases)(
  "a host's transaction that $does and stays open holds up nobody who sends the same file",
  async ({ isUploaded, work }) => {
    const { world, openHost, schema } = await openLockingWorld(undefined, { lockMs: 100 });
    const { posthorn, mailer } = world;
    const [first, second] = [
      { workspaceId: (await world.addWorkspace()).id },
      { workspaceId: (await world.addWorkspace()).id },
    ];
    const uploads: { id: string }[] = [];
    for (const call of isUploaded ? [first, second] : [])
      uploads.push(await posthorn.attachments.upload({ filename: "a.txt", content }, call));
    const [host, another] = [await openHost(), await openHost()];
    // Referred to for long, so that whoever stores it again has to extend its time.
    await another.query(`update ${schema}.blobs set check_at = null`);
    await another.query("commit");
    await work(posthorn, { ...first, transaction: host }, uploads[0]?.id ?? "");
    const sends = [first, second].flatMap((call, at) => {
      const upload = uploads[at];
      const mails = upload === undefined ? [within] : [within, byId(upload.id)];
      return mails.map((mail) => posthorn.emails.send(mail, call));
    });
    await Promise.all(sends);
    await host.query("rollback");
    await posthorn.drain();
    expect(mailer.inbox.all()).toHaveLength(sends.length);
  },
);

test("files that a host's transaction sends or deletes, and stays open, are pruned after it, and others before", async () => {
  const { world, storage, openHost, schema } = await openLockingWorld(undefined, { lockMs: 100 });
  const { attachments, emails } = world.posthorn;
  const [first, second] = [
    { workspaceId: (await world.addWorkspace()).id },
    { workspaceId: (await world.addWorkspace()).id },
  ];
  const upload = async (call: Call, text: string) => {
    const made = await attachments.upload({ filename: "a.txt", content: Buffer.from(text) }, call);
    return made.id;
  };
  const deleted = await upload(first, "deleted by the host");
  await upload(second, "of another");
  const [shared, own] = [await upload(second, content.toString()), await upload(second, "of its own")];
  const transaction = await openHost();
  // Referred to for long: whoever stores it again has to extend its time.
  await transaction.query(`update ${schema}.blobs set check_at = null; commit; begin`);
  await emails.send(within, { ...first, transaction });
  await attachments.delete({ attachmentId: deleted }, { ...first, transaction });
  for (const attachmentId of [shared, own]) await attachments.delete({ attachmentId }, second);
  const day = 86_400_000;
  const prune = async (days: number) => [
    await storage.attachments.deleteExpired(world.clock.now() + days * day, 9),
    await storage.attachments.deleteUnused(world.clock.now() + days * day, 9),
  ];
  expect(await prune(300)).toEqual([1, 1]);
  await transaction.query("rollback");
  expect(await prune(600)).toEqual([1, 2]);
});
