import type { NewHits, RecipientReport, Repositories, Storage } from "@posthorn/core/storage";
import { expect, test } from "vitest";
import { openLockingWorld } from "../test/open-locking-world.ts";

type Remove = (storage: Storage, workspaceId: number, now: number) => Promise<unknown>;
const byAge: Remove = (storage, workspaceId, now) => storage.emails.deleteBefore(workspaceId, now, 10);
const byWorkspace: Remove = (storage, workspaceId) => storage.workspaces.empty(workspaceId, 10);

const ada = "ada@example.com";

/** Opens a world with two delivered e-mails, whose rows are given. */
async function openScene() {
  const { storage, world, schema, finds, untilWaiting } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const rows: number[] = [];
  for (const subject of ["One", "Two"]) {
    const email = { subject, text: "Hello", to: [ada], tags: ["greeting"] };
    const { id } = await world.posthorn.emails.send(email, { workspaceId });
    rows.push((await storage.reports.findEmail({ id }))?.row ?? 0);
  }
  await world.posthorn.drain();
  return {
    storage,
    workspaceId,
    rows,
    now: world.clock.now() + 1_000,
    untilWaiting,
    async tablesWithRows(): Promise<string[]> {
      const found: string[] = [];
      for (const table of ["emails", "email_recipients", "email_hits", "email_labels", "recipient_reports"])
        if (await finds(`select 1 from "${schema}".${table}`)) found.push(table);
      return found;
    },
  };
}

/** What is written about e-mails, before and after their removal begins. */
interface Writing {
  begin(tx: Repositories, rows: number[]): Promise<unknown[]>;
  end?(tx: Repositories, rows: number[]): Promise<unknown>;
}

const hits: Writing = {
  begin: ({ tracking }, rows) => tracking.find(rows),
  end: ({ tracking }, rows) => tracking.add(rows.map(hitsOn), 1, 1),
};
const reports: Writing = { begin: (tx, rows) => tx.reports.note(rows.map(reportOn)) };

test.each([
  ["retention", "hits", byAge, hits],
  ["retention", "reports", byAge, reports],
  ["a workspace's deletion", "hits", byWorkspace, hits],
  ["a workspace's deletion", "reports", byWorkspace, reports],
])("%s waits for %s that are being written, and removes them with their e-mails", async (...given) => {
  const [, , remove, writing] = given;
  const { storage, workspaceId, rows, now, untilWaiting, tablesWithRows } = await openScene();
  let removing: Promise<unknown> | undefined;
  await storage.transaction(async (tx) => {
    expect(await writing.begin(tx, rows)).toHaveLength(2);
    removing ??= remove(storage, workspaceId, now);
    await untilWaiting(removing);
    await writing.end?.(tx, rows);
  });
  await removing;
  expect(await tablesWithRows()).toEqual([]);
});

test("a batch is deleted with its last e-mails, though each is removed beside the other", async () => {
  const { storage, world, schema, finds, untilWaiting } = await openLockingWorld();
  const { id: workspaceId } = await world.addWorkspace();
  const recipients = [{ to: ada }, { to: "bob@example.com" }];
  const { emails } = await world.posthorn.emails.sendBatch(
    { subject: "Hi", text: "Hello", recipients },
    { workspaceId },
  );
  await world.posthorn.drain();
  const first = (await storage.reports.findEmail({ id: emails[0]?.id ?? "" }))?.row;
  const now = world.clock.now() + 1_000;
  let removing: Promise<unknown> | undefined;
  await storage.transaction(async (tx) => {
    expect(await tx.emails.deleteBefore(workspaceId, now, 1)).toEqual({ removed: 1, next: first });
    removing ??= storage.emails.deleteBefore(workspaceId, now, 1, first);
    await untilWaiting(removing);
  });
  expect(await removing).toMatchObject({ removed: 1 });
  expect(await finds(`select 1 from "${schema}".batches`)).toBe(false);
});

test("an erasure writes nothing about an e-mail that is just being removed", async () => {
  const { storage, workspaceId, now, untilWaiting, tablesWithRows } = await openScene();
  const person = { workspaceId, address: ada, addressKey: ada, erasedAs: "erased-0123abcd@invalid" };
  const emails = await storage.recipients.emailsTo(person, 0, 9);
  expect(emails).toHaveLength(2);
  let erasing: Promise<void> | undefined;
  await storage.transaction(async (tx) => {
    expect(await tx.emails.deleteBefore(workspaceId, now, 10)).toMatchObject({ removed: 2 });
    erasing ??= storage.recipients.eraseEmails(person, emails);
    await untilWaiting(erasing);
  });
  await erasing;
  expect(await tablesWithRows()).toEqual([]);
  await storage.recipients.eraseEmails(person, emails);
});

test("a report about an e-mail that is just being removed is not stored", async () => {
  const { storage, workspaceId, rows, now, untilWaiting, tablesWithRows } = await openScene();
  let noting: Promise<RecipientReport[]> | undefined;
  await storage.transaction(async (tx) => {
    expect(await tx.emails.deleteBefore(workspaceId, now, 10)).toMatchObject({ removed: 2 });
    noting ??= storage.reports.note(rows.map(reportOn));
    await untilWaiting(noting);
  });
  expect(await noting).toEqual([]);
  expect(await tablesWithRows()).toEqual([]);
});

const hitsOn = (row: number): NewHits => ({
  row,
  position: 0,
  kind: "open",
  count: 1,
  humanCount: 0,
  firstAt: 1,
  firstHumanAt: undefined,
  agentClass: "browser",
  machineReason: undefined,
  address: "192.0.2.7",
  agent: undefined,
});

const reportOn = (row: number): RecipientReport => ({
  row,
  position: 0,
  kind: "bounce",
  class: "hard",
  category: "unknown",
  enhancedCode: "5.1.1",
  reply: "550 5.1.1",
  source: "dsn",
  isBelieved: true,
  at: 1,
});
