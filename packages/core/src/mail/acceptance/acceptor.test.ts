import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { codesOf } from "../../../test/world-for-each.ts";
import { type Storage, StorageUnavailable } from "../../ports/storage.ts";
import { createWorld, type World } from "../../testing/index.ts";
import { createAcceptor } from "./acceptor.ts";

let storage: Storage;
let notify: Storage["notify"];
let world: World;
/** Called before each transaction; `commits` counts them. */
let before: () => unknown;
let commits: number;
/** How many workspaces were looked up by id. */
let found: number;
beforeEach(async () => {
  storage = await openTestSqlite();
  notify = storage.notify;
  before = () => {};
  commits = 0;
  found = 0;
  world = await createWorld({
    ...storage,
    workspaces: {
      ...storage.workspaces,
      find(id) {
        found += 1;
        return storage.workspaces.find(id);
      },
    },
    notify: (topics) => notify(topics),
    async transaction(work) {
      commits += 1;
      await before();
      return storage.transaction(work);
    },
  });
});
afterEach(() => world.close());

const send = (workspaceId: number, subject = "Hi") =>
  world.posthorn.emails.send({ subject, text: subject, to: ["ada@example.com"] }, { workspaceId });

const deleteWorkspace = async (id: number) => {
  await storage.workspaces.delete(id);
};

test("an acceptor is busy until all are answered, not until others are notified", async () => {
  const accepted = { kind: "accepted", items: [{ events: [], deliveries: [] }], duplicates: new Map() };
  const notified = Promise.withResolvers<void>();
  const acceptor = createAcceptor(
    { ...storage, transaction: async () => [accepted] as never, notify: () => notified.promise },
    () => {},
  );
  const accepting = acceptor.accept({ workspaceId: 1, items: [] } as never);
  expect(acceptor.isBusy()).toBe(true);
  await accepting;
  expect(acceptor.isBusy()).toBe(false);
  notified.resolve();
});

test("of a batch that fails as a whole, each is answered after its own commit", async () => {
  const accepted = { kind: "accepted", items: [{ events: [], deliveries: [] }], duplicates: new Map() };
  const first = Promise.withResolvers<void>();
  const commits = [
    () => Promise.reject(new Error("one of them fails")),
    async () => [accepted],
    () => first.promise.then(() => [accepted]),
  ];
  const acceptor = createAcceptor(
    { ...storage, transaction: () => commits.shift()?.() as never, notify: async () => {} },
    () => {},
  );
  const accept = () => acceptor.accept({ workspaceId: 1, items: [] } as never);
  const both = [accept().then(() => first.resolve()), accept()];
  await Promise.all(both);
  expect([commits.length, acceptor.isBusy()]).toEqual([0, false]);
});

describe("accepting many e-mails at once", () => {
  test("shares commits, and answers each after its own", async () => {
    const { id } = await world.addWorkspace();
    commits = 0;
    const sent = await Promise.all(Array.from({ length: 300 }, () => send(id)));
    expect(new Set(sent.map((one) => one.id)).size).toBe(300);
    expect(commits).toBeLessThan(10);
    const { total } = await world.posthorn.emails.list({}, { workspaceId: id });
    expect(total).toBe(300);
  });

  test.each([{ idempotencyKey: "once" }, { dedupeKey: "once" }])(
    "those under one key are answered with the first, in as many commits as one takes: %o",
    async (key) => {
      const { id } = await world.addWorkspace();
      commits = 0;
      const sent = await Promise.all(
        Array.from({ length: 60 }, (_, at) =>
          world.posthorn.emails
            .send(
              {
                subject: "Hi",
                text: "Hello",
                to: ["ada@example.com"],
                tags: at < 50 ? [] : ["other"],
                ...key,
              },
              { workspaceId: id },
            )
            .catch(({ code }: { code: string }) => ({ id: code, deduplicated: false })),
        ),
      );
      expect(commits).toBeLessThan(5);
      const isDeduplicated = "dedupeKey" in key;
      expect(new Set(sent.slice(0, 50).map((one) => one.id)).size).toBe(1);
      const others = new Set(sent.slice(50).map((one) => one.id));
      expect(others).toEqual(new Set([isDeduplicated ? sent[0]?.id : "idempotency_key_reused"]));
      expect(sent.filter((one) => one.deduplicated)).toHaveLength(isDeduplicated ? 59 : 0);
      expect((await world.posthorn.emails.list({}, { workspaceId: id })).total).toBe(1);
    },
  );

  test("of those under one key, a refused one leaves it to the next", async () => {
    const { id } = await world.addWorkspace();
    const plan = await world.posthorn.plans.create({ name: "Small", hourlyRateLimit: 2 });
    await world.posthorn.plans.assignToWorkspace({ workspaceId: id, planId: plan.id });
    const sendTo = (count: number) =>
      world.posthorn.emails.send(
        {
          subject: "Hi",
          text: "Hello",
          to: Array.from({ length: count }, (_, at) => `a${at}@example.com`),
          idempotencyKey: "once",
        },
        { workspaceId: id },
      );
    expect(await codesOf([sendTo(3), sendTo(3), sendTo(2), sendTo(2), sendTo(3)])).toEqual([
      "rate_limited",
      "rate_limited",
      "ok",
      "ok",
      "idempotency_key_reused",
    ]);
  });

  test("one invalid e-mail affects no other, and gets its own error", async () => {
    const [good, gone] = [await world.addWorkspace(), await world.addWorkspace()];
    before = () => deleteWorkspace(gone.id);
    const codes = await codesOf([send(good.id), send(gone.id), send(good.id)]);
    expect(codes).toEqual(["ok", "not_found", "ok"]);
    before = () => {};
    expect(await world.posthorn.drain()).toBe(2);
  });

  test.each(["send", "batch"])(
    "a %s whose content was replaced and removed since the look-up begins again",
    async (kind) => {
      const { id: workspaceId, asOwner } = await world.addWorkspace();
      const { templates, templateVersions, emails } = world.posthorn.workspace(workspaceId);
      const made = await templates.create({ name: "order", subject: "1", text: "x" }, asOwner);
      before = async () => {
        before = () => {};
        const version = { templateId: made.id, versionId: made.activeVersionId };
        await templateVersions.update({ ...version, subject: "2", text: "y" }, asOwner);
        await storage.contents.deleteUnused(10);
      };
      const to = "ada@example.com";
      if (kind === "send") await emails.sendTemplate({ template: "order", to: [to] });
      else await emails.sendBatch({ template: "order", recipients: [{ to }] });
      expect((await emails.list({})).items.map(({ subject }) => subject)).toEqual(["2"]);
    },
  );

  test("notifies listeners after the commit, and only of accepted e-mails", async () => {
    const [good, gone] = [await world.addWorkspace(), await world.addWorkspace()];
    const heard: unknown[] = [];
    world.posthorn.on("email.queued", ({ workspaceId }) => heard.push(workspaceId));
    before = () => deleteWorkspace(gone.id);
    await codesOf([send(gone.id), send(good.id)]);
    expect(heard).toEqual([good.id]);
  });

  test("an unavailable storage refuses all, and accepts the next ones", async () => {
    const { id } = await world.addWorkspace();
    before = () => Promise.reject(new StorageUnavailable("away"));
    commits = 0;
    const settled = await Promise.allSettled([send(id), send(id)]);
    // It was not asked for each of them alone.
    expect(commits).toBe(1);
    expect(settled.map((one) => one.status === "rejected" && one.reason)).toEqual([
      expect.any(StorageUnavailable),
      expect.any(StorageUnavailable),
    ]);
    before = () => {};
    expect((await send(id)).status).toBe("queued");
  });

  test("an unavailable storage is not asked again, because each answer may take its whole time-out", async () => {
    const { id } = await world.addWorkspace();
    let foundBefore = -1;
    before = () => {
      foundBefore = found;
      return Promise.reject(new StorageUnavailable("away"));
    };
    await expect(send(id)).rejects.toThrow(StorageUnavailable);
    expect(found).toBe(foundBefore);
  });

  test("a failing notification delays nothing", async () => {
    const { id } = await world.addWorkspace();
    notify = () => Promise.reject(new Error("nobody listens"));
    expect((await send(id)).status).toBe("queued");
    expect((await send(id)).status).toBe("queued");
  });

  test("a refused e-mail leaves no content behind", async () => {
    const { id } = await world.addWorkspace();
    before = () => deleteWorkspace(id);
    await codesOf([send(id, "orphan")]);
    expect(await storage.contents.deleteUnused(10)).toBe(0);
  });
});
