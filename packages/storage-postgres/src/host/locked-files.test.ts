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
