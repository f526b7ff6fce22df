import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readAttachment } from "../../mail/attachments/attachment-content.ts";
import type { Storage } from "../../ports/storage.ts";
import { createPosthorn } from "../../service/service.ts";
import type { MemoryMailer } from "../memory-mailer.ts";
import { createWorld, type TestWorkspace, type World, worldSecretKey } from "../world.ts";
import { codeOf } from "./code-of.ts";

/** A host with its own table in the storage's database. */
export interface TestHost {
  /** An empty storage. The tests migrate and close it. */
  storage: Storage<unknown>;
  /** Runs work in a transaction of the host's: commits if it resolves, rolls back if it rejects. */
  transaction<T>(
    work: (host: { transaction: unknown; note(text: string): Promise<void> }) => Promise<T>,
  ): Promise<T>;
  /** Reads the notes in the host's table outside any transaction, in order. */
  notes(): Promise<string[]>;
  /** Handles of the library that are not an open transaction, which a host may pass by mistake. */
  wrong: unknown[];
  /** Ends the host's connections, after each test. */
  close(): Promise<void>;
}

const mail = { to: ["ada@example.com"], subject: "Hi", text: "Hello.", tags: ["a", "b"] };

/** Limitations of the host's library. */
export interface HostTestOptions {
  /**
   * Whether the library never answers queries on a transaction's handle after its end. Such queries are then not
   * tested.
   */
  bearsNothingAfterEnd?: boolean;
  /** Recipients of a batch. Default: enough for two pieces, in which the storage works whatever the library is. */
  recipients?: number;
}

/**
 * The contract of calls inside a host's own transaction, for every storage and every library that holds the
 * transaction.
 */
export function testHostTransactions(
  name: string,
  open: () => Promise<TestHost>,
  { bearsNothingAfterEnd = false, recipients: total = 300 }: HostTestOptions = {},
): void {
  describe(`${name}: calls inside the host's transaction`, () => {
    let host: TestHost;
    let world: World<MemoryMailer, unknown>;
    let workspace: TestWorkspace;
    beforeEach(async () => {
      host = await open();
      world = await createWorld(host.storage);
      workspace = await world.addWorkspace();
    });
    afterEach(async () => {
      await world.close();
      await host.close();
    });
    const templates = async () =>
      (await world.posthorn.templates.list({}, workspace.asOwner)).items.map((one) => one.name).sort();
    const template = (text: string) => ({ name: text, subject: "s", text: "t" });

    test("commit and roll back with its own rows", async () => {
      const { id: workspaceId } = workspace;
      await host.transaction(async ({ transaction, note }) => {
        await note("kept");
        await world.posthorn.templates.create(template("kept"), { ...workspace.asOwner, transaction });
        await world.posthorn.emails.send(mail, { workspaceId, transaction });
        const templated = { to: mail.to, template: "kept", templateData: { name: "it's {1} ? $1" } };
        await world.posthorn.emails.sendTemplate(templated, { workspaceId, transaction });
      });
      const rolledBack = host.transaction(async ({ transaction, note }) => {
        await note("dropped");
        await world.posthorn.templates.create(template("dropped"), { ...workspace.asOwner, transaction });
        await world.posthorn.emails.send(mail, { workspaceId, transaction });
        throw new RangeError("sold out");
      });
      await expect(rolledBack).rejects.toThrow(RangeError);
      expect(await host.notes()).toEqual(["kept"]);
      expect(await templates()).toEqual(["kept"]);
      expect(await world.posthorn.drain()).toBe(2);
      const { items } = await world.posthorn.emails.list({}, { workspaceId });
      expect(items.map(({ subject }) => subject).sort()).toEqual(["Hi", "s"]);
      expect(items.find(({ subject }) => subject === "Hi")?.tags).toEqual(["a", "b"]);
    });

    test("that are refused leave nothing, and affect neither the host's rows nor other calls", async () => {
      const { posthorn } = world;
      const plan = await posthorn.plans.create({ name: "Basic", isDefault: true });
      await world.addUser({ email: "taken@example.com" });
      const refusals = await host.transaction(async ({ transaction, note }) => {
        const as = { ...workspace.asOwner, transaction };
        const codes: unknown[] = [];
        const refused = async (call: Promise<unknown>) => {
          codes.push(await codeOf(call));
          await note(String(codes.length));
        };
        await posthorn.templates.create(template("first"), as);
        await refused(posthorn.templates.create(template("first"), as));
        await refused(posthorn.plans.update({ planId: plan.id, isActive: false }, { transaction }));
        await refused(posthorn.plans.create({ name: "Basic" }, { transaction }));
        await refused(
          posthorn.users.create(
            { name: "T", email: "taken@example.com", password: "a long enough pass phrase" },
            { transaction },
          ),
        );
        await posthorn.templates.create(template("second"), as);
        return codes;
      });
      expect(refusals).toEqual(["template_name_taken", "default_plan", "plan_name_taken", "email_taken"]);
      expect(await host.notes()).toEqual(["1", "2", "3", "4"]);
      expect(await templates()).toEqual(["first", "second"]);
      expect(await posthorn.plans.get({ planId: plan.id })).toMatchObject({
        isActive: true,
        isDefault: true,
      });
    });

    test("send exactly what the plan allows, and store an answer only for accepted requests", async () => {
      const { posthorn } = world;
      const { id: workspaceId } = workspace;
      await posthorn.plans.create({ name: "Two", hourlyRateLimit: 2, isDefault: true });
      const send = (idempotencyKey: string, transaction?: unknown) =>
        codeOf(posthorn.emails.send({ ...mail, idempotencyKey }, { workspaceId, transaction }));
      const codes = await host.transaction(({ transaction }) =>
        Promise.all(["a", "b", "c", "a"].map((key) => send(key, transaction))),
      );
      expect(codes).toEqual(["accepted", "accepted", "rate_limited", "accepted"]);
      expect(await send("c")).toBe("rate_limited");
      expect(await send("b")).toBe("accepted");
      expect(await posthorn.drain()).toBe(2);
    });

    test("accept a batch as a whole, or leave nothing of it, and answer a repeat", async () => {
      const { posthorn } = world;
      const { id: workspaceId } = workspace;
      await posthorn.plans.create({ name: "Some", hourlyRateLimit: total, isDefault: true });
      const recipients = Array.from({ length: total }, (_, n) => ({ to: `p${n}@example.com` }));
      const batch = { subject: "Hi", text: "Hello.", recipients, idempotencyKey: "night" };
      const { batchId } = await host.transaction(async ({ transaction, note }) => {
        const call = { workspaceId, transaction };
        const sent = await posthorn.emails.sendBatch(batch, call);
        expect(await posthorn.emails.sendBatch(batch, call)).toEqual({ ...sent, replayed: true });
        await note(
          await codeOf(posthorn.emails.sendBatch({ ...batch, idempotencyKey: "more" }, call)).then(String),
        );
        return sent;
      });
      expect(await host.notes()).toEqual(["rate_limited"]);
      const rolledBack = host.transaction(async ({ transaction }) => {
        await posthorn.emails.cancelBatch({ batchId }, { workspaceId, transaction });
        throw new RangeError("sold out");
      });
      await expect(rolledBack).rejects.toThrow(RangeError);
      const { counts } = await posthorn.emails.getBatch({ batchId }, { workspaceId });
      expect(counts).toMatchObject({ total, queued: total, cancelled: 0 });
    });

    test("store attached files byte by byte", async () => {
      const { posthorn, mailer } = world;
      const { id: workspaceId } = workspace;
      const content = Uint8Array.from({ length: 1000 }, (_, index) => index % 256);
      await host.transaction(async ({ transaction }) => {
        const call = { workspaceId, transaction };
        const { id } = await posthorn.attachments.upload({ filename: "uploaded.bin", content }, call);
        const attachments = [{ id }, { filename: "it's $1?.bin", content: content.slice(1) }];
        await posthorn.emails.send({ ...mail, attachments }, call);
      });
      await posthorn.drain();
      const files = mailer.inbox.find({ to: "ada@example.com" })?.attachments ?? [];
      expect(files.map(({ filename }) => filename)).toEqual(["uploaded.bin", "it's $1?.bin"]);
      const [uploaded, inline] = await Promise.all(files.map(readAttachment));
      expect(uploaded).toEqual(Buffer.from(content));
      expect(inline).toEqual(Buffer.from(content.slice(1)));
    });

    test("find or create the only workspace in it", async () => {
      const { storage, mailer, clock, posthorn } = world;
      const only = createPosthorn({
        ...{ storage, mailer, clock, secretKey: worldSecretKey, defaultSender: "shop@example.com" },
        workspace: { name: "Only" },
      });
      const send = async (transaction: unknown) => {
        await only.emails.send(mail, { transaction });
        await only.emails.send(mail, { transaction });
      };
      const rolledBack = host.transaction(async ({ transaction }) => {
        await send(transaction);
        throw new RangeError("sold out");
      });
      await expect(rolledBack).rejects.toThrow(RangeError);
      const named = async () =>
        (await posthorn.workspaces.listAll({})).items.filter(({ name }) => name === "Only");
      expect(await named()).toEqual([]);
      await host.transaction(({ transaction }) => send(transaction));
      expect(await named()).toHaveLength(1);
      expect((await only.emails.list()).total).toBe(2);
      await only.close();
    });

    test("are invisible to others before the commit", async () => {
      await host.transaction(async ({ transaction }) => {
        await world.posthorn.templates.create(template("new"), { ...workspace.asOwner, transaction });
        const inside = await world.posthorn.templates.list({}, { ...workspace.asOwner, transaction });
        expect(inside.total).toBe(1);
        expect(await templates()).toEqual([]);
      });
      expect(await templates()).toEqual(["new"]);
    });

    test("that fail leave nothing, even if some of their work is under way", async () => {
      const { storage } = host;
      const names = ["one", "two", "three"];
      await host.transaction(async ({ transaction }) => {
        let rest: Promise<unknown> | undefined;
        const failed = storage.within(transaction).savepoint(async ({ workspaces }) => {
          const insertAll = async () => {
            for (const name of names) await workspaces.insert({ name, createdAt: 1 });
          };
          rest = Promise.allSettled([insertAll(), insertAll()]);
          throw new RangeError("sold out");
        });
        await expect(failed).rejects.toThrow(RangeError);
        await rest;
      });
      const { items } = await storage.workspaces.list({ q: undefined }, { offset: 0, limit: 10 });
      expect(items.filter(({ name }) => names.includes(name))).toEqual([]);
    });

    const refuseAfterEnd = async (): Promise<void> => {
      const { id: workspaceId } = workspace;
      const { posthorn } = world;
      const send = (transaction: unknown) =>
        codeOf(Promise.resolve().then(() => posthorn.emails.send(mail, { workspaceId, transaction })));
      const ended = await host.transaction(async ({ transaction }) => {
        await posthorn.templates.create(template("in time"), { ...workspace.asOwner, transaction });
        return { transaction, codes: [send(transaction)] };
      });
      ended.codes.push(send(ended.transaction));
      for (const code of await Promise.all(ended.codes)) expect(code).toBeInstanceOf(Error);
      expect(await templates()).toEqual(["in time"]);
      expect((await posthorn.emails.list({}, { workspaceId })).total).toBe(0);
      expect(await posthorn.drain()).toBe(0);
    };
    if (!bearsNothingAfterEnd)
      test("that are not awaited, or come after its end, are refused and leave nothing", refuseAfterEnd);

    test("refuse what is no open transaction, and say what to pass", () => {
      for (const unusable of [null, 7, "transaction", {}, { query: "select 1" }, host.storage, ...host.wrong])
        expect(() => host.storage.within(unusable)).toThrow(TypeError);
    });
  });
}
