import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import type { EmptiedPiece } from "../ports/storage.ts";
import { createFixedClock, createWorld } from "../testing/index.ts";

const minuteMs = 60_000;
const mail = { subject: "Hi", text: "x", to: ["ada@example.com"] };

test("a workspace that is being deleted sends nothing more, and sends again if that was interrupted", async () => {
  const storage = await openTestSqlite();
  const fail = Promise.withResolvers<EmptiedPiece>();
  const begun = Promise.withResolvers<void>();
  const world = await createWorld({
    ...storage,
    workspaces: {
      ...storage.workspaces,
      empty() {
        begun.resolve();
        return fail.promise;
      },
    },
  });
  const { asOwner, ...workspace } = await world.addWorkspace({ name: "Shop" });
  const other = await world.addWorkspace();
  const { posthorn, clock } = world;
  const { id: templateId, activeVersionId: versionId } = await posthorn.templates.create(
    { name: "t", subject: "Hi", text: "x" },
    asOwner,
  );
  const send = (workspaceId: number) => posthorn.emails.send(mail, { workspaceId });
  const deleting = posthorn.workspaces.delete({ name: "Shop" }, asOwner).catch((error: unknown) => error);
  await begun.promise;
  const refused = { code: "not_found", message: "The workspace is being deleted." };
  await expect(send(workspace.id)).rejects.toMatchObject(refused);
  const test = posthorn.templateVersions.test({ templateId, versionId, to: mail.to }, asOwner);
  await expect(test).rejects.toMatchObject(refused);
  await send(other.id);
  const died = new Error("the process died");
  fail.reject(died);
  expect(await deleting).toBe(died);
  await expect(send(workspace.id)).rejects.toMatchObject(refused);
  clock.advance(minuteMs);
  await send(workspace.id);
  await world.close();
});

test("a deletion that takes longer than a minute prolongs its mark, and looks again for what came meanwhile", async () => {
  const storage = await openTestSqlite();
  let pieces = 0;
  const world = await createWorld({
    ...storage,
    workspaces: {
      ...storage.workspaces,
      async empty(id) {
        const [workspace] = await storage.workspaces.listSending([id]);
        expect(workspace?.deletingUntil).toBeGreaterThan(world.clock.now());
        world.clock.advance(minuteMs / 4);
        pieces += 1;
        // Removed by the first round, so that there is a second.
        return {
          removed: pieces < 11 ? 1 : 0,
          next: pieces < 11 ? { table: 0, after: [pieces] } : undefined,
        };
      },
    },
  });
  const { asOwner } = await world.addWorkspace({ name: "Shop" });
  await world.posthorn.workspaces.delete({ name: "Shop" }, asOwner);
  expect(pieces).toBe(12);
  await world.close();
});

test("a large batch and a file that were begun before the mark are refused at their commit", async () => {
  const storage = await openTestSqlite();
  const marking = { isOn: false };
  const world = await createWorld({
    ...storage,
    async transaction(work, holder) {
      if (marking.isOn) await mark();
      return storage.transaction(work, holder);
    },
  });
  const { asOwner, id: workspaceId } = await world.addWorkspace({ name: "Shop" });
  const mark = () => storage.workspaces.markDeleting(workspaceId, world.clock.now() + minuteMs);
  const refused = { code: "not_found", message: "The workspace is being deleted." };
  const { posthorn } = world;
  marking.isOn = true;
  const emails = Array.from({ length: 300 }, () => mail);
  await expect(posthorn.emails.sendBatch({ emails }, { workspaceId })).rejects.toMatchObject(refused);
  expect((await posthorn.emails.list({}, { workspaceId })).total).toBe(0);
  marking.isOn = false;
  world.clock.advance(minuteMs);
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from("a");
    await mark();
    yield Buffer.from("b");
  }
  const upload = (file: AsyncIterable<Uint8Array> | Uint8Array) =>
    posthorn.attachments.upload({ filename: "a.txt", content: file }, asOwner);
  await expect(upload(content())).rejects.toMatchObject(refused);
  await expect(upload(Buffer.from("a"))).rejects.toMatchObject(refused);
  expect((await storage.attachments.unusedOf(workspaceId)).handles).toBe(0);
  world.clock.advance(minuteMs);
  await upload(Buffer.from("a"));
  await world.close();
});

test("imports that were begun before the mark end at their next piece", async () => {
  const storage = await openTestSqlite();
  const world = await createWorld(storage);
  const { asOwner, id: workspaceId } = await world.addWorkspace({ name: "Shop" });
  const { campaigns, suppressions } = world.posthorn;
  const { id: campaignId } = await campaigns.create({ name: "Spring", subject: "Hi", text: "x" }, asOwner);
  async function* content(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(`email\n${Array.from({ length: 1_001 }, (_, n) => `u${n}@example.com\n`).join("")}`);
    await storage.workspaces.markDeleting(workspaceId, world.clock.now() + minuteMs);
    yield Buffer.from("late@example.com\n");
  }
  const refused = { code: "not_found", message: "The workspace is being deleted." };
  await expect(suppressions.import({ content: content() }, asOwner)).rejects.toMatchObject(refused);
  expect(await suppressions.list({}, asOwner)).toMatchObject({ total: 1_000 });
  world.clock.advance(minuteMs);
  const filling = campaigns.importRecipients({ campaignId, content: content() }, asOwner);
  await expect(filling).rejects.toMatchObject(refused);
  expect(await campaigns.get({ campaignId }, asOwner)).toMatchObject({ recipients: 1_000 });
  await world.close();
});

test("the mark counts in other processes, too, whatever their machines' clocks show", async () => {
  const storage = await openTestSqlite();
  const databases = createFixedClock();
  const timed = { ...storage, now: async () => databases.now() };
  const sender = await createWorld(timed, { databaseClock: "own", clock: databases });
  const { id: workspaceId, owner } = await sender.addWorkspace({ name: "Shop" });
  const asOwner = { as: owner, workspaceId };
  const send = () => sender.posthorn.emails.send(mail, { workspaceId });
  const answers: unknown[] = [];
  const empty = async () => {
    answers.push(await send().catch((error: unknown) => error));
    return { removed: 0, next: undefined };
  };
  const behind = await createWorld(
    { ...timed, workspaces: { ...storage.workspaces, empty } },
    { databaseClock: "own", clock: createFixedClock(databases.now() - 2 * minuteMs) },
  );
  await behind.posthorn.drain();
  await behind.posthorn.workspaces.delete({ name: "Shop" }, asOwner);
  expect(answers).toMatchObject([{ message: "The workspace is being deleted." }]);
  await behind.posthorn.close();
  await sender.close();
});
