import { describe, expect, test } from "vitest";
import type { EmailFilter, ErasedPerson, Erasure, Storage, Suppression } from "../../ports/storage.ts";
import {
  ada,
  erasedPerson,
  NOW,
  newDelivery,
  newEmail,
  nextId,
  to,
  useSendingWorld,
} from "./sending-world.ts";
import { newSuppression } from "./walked-rows.ts";

/** The contract of recipients: their data is found, listed and replaced, and no other's. */
export const describeRecipients = (open: () => Promise<Storage>): void => {
  describe("recipients", () => {
    const world = useSendingWorld(open);

    const person = (over: Partial<ErasedPerson> = {}): ErasedPerson => ({
      ...erasedPerson(world()),
      address: "ADA@example.com",
      ...over,
    });
    const erasure = (over: Partial<Erasure> = {}): Erasure => ({
      ...person(),
      id: nextId(),
      stage: "emails",
      cursor: "",
      emails: 0,
      campaigns: 0,
      events: 0,
      requestedAt: NOW,
      ...over,
    });

    const bounced = (over: { message?: string; metadata?: string; workspaceId?: number } = {}) => ({
      category: "email" as const,
      type: "email.bounced",
      workspaceId: world().workspaceId,
      userId: undefined,
      actorId: undefined,
      actorName: "",
      clientIp: "",
      message: `refused ${ada}, not x.${ada}`,
      metadata: JSON.stringify({
        recipient: "ADA@example.com",
        reply: "550 5.1.1 she has left",
      }),
      createdAt: NOW,
      ...over,
    });

    test("one erasure runs per recipient, by one worker, and continues where it stopped", async () => {
      const { erasures } = world().storage;
      const one = erasure();
      expect(await erasures.insert(one)).toBe(true);
      expect(await erasures.insert(erasure())).toBe(false);
      expect(await erasures.nextDueAt()).toBe(NOW);
      expect(await erasures.take(NOW - 1, NOW + 9, 1)).toEqual([]);
      expect(await erasures.take(NOW, NOW + 9, 1)).toEqual([one]);
      expect(await erasures.take(NOW + 8, NOW + 9, 1)).toEqual([]);
      const further: Erasure = { ...one, stage: "events", cursor: "7", emails: 3, campaigns: 1, events: 2 };
      await erasures.note(further, NOW + 20);
      expect(await erasures.take(NOW + 20, NOW + 30, 9)).toEqual([further]);
      await erasures.restoreDue(NOW + 30, NOW);
      expect(await erasures.nextDueAt()).toBe(NOW + 30);
      await erasures.restoreDue(NOW + 29, NOW);
      expect(await erasures.nextDueAt()).toBe(NOW);
      expect([await erasures.end(one.id), await erasures.end(one.id)]).toEqual([true, false]);
      expect(await erasures.nextDueAt()).toBeUndefined();
    });

    test("of several erasures a worker takes those due longest, and ends its own", async () => {
      const { erasures } = world().storage;
      const due = (name: string, requestedAt: number) => {
        const addressKey = `${name}@example.com`;
        return erasure({ addressKey, address: addressKey, requestedAt });
      };
      const [late, early, last] = [due("late", NOW + 5), due("early", NOW), due("last", NOW + 9)];
      for (const one of [late, early, last]) expect(await erasures.insert(one)).toBe(true);
      expect(await erasures.nextDueAt()).toBe(NOW);
      expect(await erasures.take(NOW + 5, NOW + 60, 1)).toEqual([early]);
      expect(await erasures.nextDueAt()).toBe(NOW + 5);
      const further = { ...early, cursor: "7" };
      await erasures.note(further, NOW + 7);
      expect(await erasures.take(NOW + 6, NOW + 60, 9)).toEqual([late]);
      expect(await erasures.end(late.id)).toBe(true);
      expect(await erasures.take(NOW + 9, NOW + 60, 9)).toEqual(expect.arrayContaining([further, last]));
    });

    test("e-mails are found by the address, in order, and whether they have other recipients", async () => {
      const { storage, workspaceId, addWorkspace } = world();
      const alone = newEmail(world(), { recipients: to("Ada@example.com"), tags: ["all", ada] });
      const [metadata, payload] = [{ who: ada, order: 7 }, { data: { name: "Ada" } }];
      const shared = newEmail(world(), { recipients: to("bob@example.com", ada), dueAt: NOW + 5, metadata });
      const theirs = newEmail(world(), { workspaceId: await addWorkspace("Other") });
      await storage.emails.insert([alone, shared, theirs, newEmail(world(), { recipients: to(`x${ada}`) })]);
      await storage.emails.cancel(world().workspaceId, alone.id, NOW);
      const found = await storage.recipients.emailsTo(person(), 0, 9);
      expect(found.map(({ row: _, ...email }) => email)).toEqual([
        { id: alone.id, position: 0, isAlone: true },
        { id: shared.id, position: 1, isAlone: false },
      ]);
      expect(await storage.recipients.emailsTo(person(), found[0]?.row ?? 0, 9)).toEqual(found.slice(1));
      expect(await storage.recipients.countEmails(person())).toBe(2);
      const { emails, next } = await storage.recipients.readEmails(person(), 0, NOW);
      expect(emails).toMatchObject([
        { email: { id: alone.id, status: "cancelled" }, recipient: { address: "Ada@example.com" } },
        { email: { id: shared.id, status: "queued" }, recipient: { address: ada }, payload },
      ]);
      expect(next).toBeUndefined();

      const [, waiting] = found;
      expect(waiting && (await storage.recipients.withdraw(waiting, NOW))).toBe("waiting");
      await storage.recipients.eraseEmails(person(), found);
      expect(await storage.recipients.emailsTo(person(), 0, 9)).toEqual([]);
      const left = await storage.emails.find("all", alone.id, NOW);
      expect(left).toMatchObject({ to: [person().erasedAs], subject: "(erased)", contentId: undefined });
      expect(await storage.emails.find("all", shared.id, NOW)).toMatchObject({
        to: ["bob@example.com", person().erasedAs],
        subject: "Hello",
        contentId: shared.contentId,
      });
      const labelled = async (filter: Partial<EmailFilter>) =>
        (await storage.emails.list({ workspaceId, ...filter }, { offset: 0, limit: 9 }, NOW)).items.map(
          ({ id }) => id,
        );
      expect(await labelled({ tag: ada })).toEqual([]);
      expect(await labelled({ tag: "all" })).toEqual([alone.id]);
      expect(await labelled({ metadata: { who: ada } })).toEqual([]);
      expect(await labelled({ metadata: { who: person().erasedAs, order: "7" } })).toEqual([shared.id]);
      expect((await storage.emails.recipients(shared.id)).map(({ state }) => state)).toEqual([
        "pending",
        "cancelled",
      ]);
      expect((await storage.emails.find("all", theirs.id, NOW))?.to).toEqual([ada]);
    });

    test("e-mails with large values are read a few at once, small ones a hundred", async () => {
      const { storage } = world();
      const insert = async (count: number, data: Record<string, unknown>) => {
        const { payload } = newEmail(world());
        const made = Array.from({ length: count }, () =>
          newEmail(world(), { payload: { ...payload, data } }),
        );
        await storage.emails.insert(made);
      };
      await insert(5, { text: "x".repeat(400_000) });
      await insert(1, { text: "x".repeat(1_400_000) });
      await insert(104, {});
      const read: number[] = [];
      for (let after: number | undefined = 0; after !== undefined; ) {
        const { emails, next } = await storage.recipients.readEmails(person(), after, NOW);
        read.push(emails.length);
        after = next;
      }
      expect(read).toEqual([2, 2, 1, 1, 100, 4]);
    });

    test("e-mails that wait for nobody else are cancelled, in doubt or not", async () => {
      const { storage, workspaceId } = world();
      const email = newEmail(world());
      await storage.emails.insert([email]);
      const [found] = await storage.recipients.emailsTo(person(), 0, 9);
      expect(found && (await storage.recipients.withdraw(found, NOW))).toBe("cancelled");
      expect(found && (await storage.recipients.withdraw(found, NOW))).toBe("settled");
      expect(await storage.emails.find(workspaceId, email.id, NOW)).toMatchObject({ status: "cancelled" });
      const cancelled = await storage.emails.list(
        { workspaceId, status: "cancelled" },
        { offset: 0, limit: 9 },
        NOW,
      );
      expect(cancelled.total).toBe(1);
    });

    test("logs are processed in pieces: the address is removed, one that contains it stays", async () => {
      const { storage, workspaceId, apiKeyId, addWebhook, addWorkspace } = world();
      const other = await addWorkspace("Other");
      await storage.events.append([bounced(), bounced({ workspaceId: other })]);
      const webhook = await addWebhook();
      await storage.webhookDeliveries.insert([
        { ...newDelivery(webhook), payload: JSON.stringify({ to: ada }) },
      ]);
      const answer = JSON.stringify({ to: [ada] });
      const kept = { bodyDigest: "b", answer, createdAt: NOW };
      await storage.idempotencyKeys.reserve([{ apiKeyId, key: `k ${ada}`, ...kept }], 0);
      await storage.dedupeKeys.reserve([
        { workspaceId, key: `welcome:${ada}`, emailId: nextId(), createdAt: NOW },
      ]);
      expect(await storage.recipients.countEvents(person(), 100)).toBe(1);
      for (const log of ["events", "webhook_deliveries", "idempotency_keys", "dedupe_keys"] as const) {
        const found = await storage.recipients.search(log, person(), "");
        expect([log, found.rows.length, found.next]).toEqual([log, 1, undefined]);
        expect(await storage.recipients.eraseFrom(log, person(), "")).toEqual({
          changed: 1,
          next: undefined,
        });
        expect((await storage.recipients.search(log, person(), "")).rows).toEqual([]);
      }
      const [mine, theirs] = (
        await storage.events.list({ workspaceId: "all" }, { offset: 0, limit: 9 })
      ).items.reverse();
      expect(mine?.message).toBe(`refused ${person().erasedAs}, not x.${ada}`);
      expect(JSON.parse(mine?.metadata ?? "")).toEqual({ recipient: person().erasedAs, reply: "" });
      expect(theirs?.message).toContain(`refused ${ada}`);
      const { items } = await storage.webhookDeliveries.list(workspaceId, webhook.id, {
        offset: 0,
        limit: 9,
      });
      expect(items[0]?.payload).toBe(JSON.stringify({ to: person().erasedAs }));
    });

    test("an address of any characters is found and removed, in either alphabet, within a URL and after a line's end", async () => {
      const { storage, workspaceId } = world();
      const told = (to: string, line: string, other: string) =>
        JSON.stringify({ told: [`https://a.example/?to=mailto%3A${to}`, `Cc:\n${line}, not \\n${other}`] });
      const locals = ["jean-luc", "o'neil+tag", "!#$&*/=?^`{|}~%_-", "jörg", "a.b"];
      for (const address of locals.map((local) => `${local}@xn--mller-kva.north-sea.example`)) {
        const native = address.replace("xn--mller-kva", "müller");
        await storage.events.append([
          bounced({
            message: `${address} and ${native}, not x.${address}`,
            metadata: told(encodeURIComponent(native), native, address),
          }),
        ]);
        const one = person({ address, addressKey: address });
        expect((await storage.recipients.search("events", one, "")).rows, address).toHaveLength(1);
        expect((await storage.recipients.eraseFrom("events", one, "")).changed, address).toBe(1);
        const { items } = await storage.events.list({ workspaceId }, { offset: 0, limit: 1 });
        expect(items[0]).toMatchObject({
          message: `${one.erasedAs} and ${one.erasedAs}, not x.${address}`,
          metadata: told(one.erasedAs, one.erasedAs, address),
        });
      }
    });

    test("an address in capitals is found and removed, whatever its letters", async () => {
      const { storage } = world();
      const message = "refused JÖRG@MÜLLER.NORTH-SEA.EXAMPLE";
      await storage.events.append([bounced({ message, metadata: "{}" })]);
      const address = "jörg@xn--mller-kva.north-sea.example";
      const one = person({ address, addressKey: address });
      expect((await storage.recipients.search("events", one, "")).rows).toHaveLength(1);
      expect((await storage.recipients.eraseFrom("events", one, "")).changed).toBe(1);
    });

    test("suppressions of all scopes are stored under a hash, with the later expiry, in one workspace", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const { erasedAs } = person();
      const entry = (scope: string, over: Partial<Suppression> = {}): Suppression => ({
        ...newSuppression(workspaceId, ada),
        ...{ scope, reason: ada },
        ...over,
      });
      const hashed = (expiresAt: number) => ({
        addressKey: "sha256:x",
        address: erasedAs,
        reason: "",
        expiresAt,
      });
      const mine = [
        ...[entry("*"), entry("news", { expiresAt: NOW + 9 }), entry("offers", { expiresAt: NOW + 5 })],
        ...[entry("news", hashed(NOW + 5)), entry("offers", hashed(NOW + 9))],
      ];
      await storage.suppressions.put([...mine, entry("*", { workspaceId: other })], NOW);
      for (const id of [workspaceId, other]) {
        const full = { workspaceId: id, address: ada, category: "mailbox_full", at: NOW, since: 0 };
        await storage.reports.noteBounceDay(full);
        await storage.reports.noteBounceDay({ ...full, address: `x${ada}` });
      }
      await storage.recipients.hashSuppressions(person(), "sha256:x");
      const page = { offset: 0, limit: 9 };
      const { items } = await storage.suppressions.list({ workspaceId }, page, NOW);
      expect(
        items.map(({ scope, expiresAt, addressKey, address, reason }) => [
          ...[scope, expiresAt, addressKey, address, reason],
        ]),
      ).toEqual(
        expect.arrayContaining([
          ["*", undefined, "sha256:x", erasedAs, ""],
          ["news", NOW + 9, "sha256:x", erasedAs, ""],
          ["offers", NOW + 9, "sha256:x", erasedAs, ""],
        ]),
      );
      expect(items).toHaveLength(3);
      const ofDomain = { workspaceId, q: "@example.com" };
      expect((await storage.suppressions.list(ofDomain, page, NOW)).total).toBe(0);
      expect(await storage.recipients.bounceDays(person())).toEqual([]);
      const theirs = { workspaceId: other, addressKey: ada };
      expect(await storage.suppressions.findUnder([theirs])).toHaveLength(1);
      expect(await storage.recipients.bounceDays({ ...theirs, address: ada })).toHaveLength(1);
      const another = person({ address: `x${ada}`, addressKey: `x${ada}` });
      expect(await storage.recipients.bounceDays(another)).toHaveLength(1);
    });
  });
};
