import { describe, expect, test } from "vitest";
import type { NewEmail, RecipientReport, Storage } from "../../ports/storage.ts";
import { claimAll, resultOf, the } from "./claims.ts";
import {
  ada,
  bob,
  erasedPerson,
  NOW,
  newCampaign,
  newEmail,
  nextId,
  to,
  useSendingWorld,
} from "./sending-world.ts";

/** The contract of erasures: what is a person's goes, and nothing of anybody else's does. */
export const describeErasures = (open: () => Promise<Storage>): void => {
  describe("erasures", () => {
    const world = useSendingWorld(open);

    const person = () => erasedPerson(world());

    test("remove the content that names the person from what was sent, not from what others still wait for", async () => {
      const { storage } = world();
      const { emails, recipients } = storage;
      const content = await storage.contents.put({ subject: "", html: `<p>With ${ada}</p>`, text: "" });
      const named = (over: Partial<NewEmail>) =>
        newEmail(world(), { contentId: content, recipients: to(bob, ada), ...over });
      const [sent, waiting] = [named({ dueAt: NOW - 9 }), named({})];
      const [unnamed, theirs] = [
        named({ contentId: world().contentId, dueAt: NOW - 9 }),
        named({ recipients: to(bob), dueAt: NOW - 9 }),
      ];
      await emails.insert([sent, waiting, unnamed, theirs]);
      const settled = { status: "sent", settledAt: NOW } as const;
      for (const claimed of await claimAll(storage, { now: NOW - 9 }))
        await storage.emailQueue.settle([resultOf(claimed, "accepted", settled)], NOW);
      await recipients.eraseEmails(person(), await recipients.emailsTo(person(), 0, 9));
      const contents = [sent, waiting, unnamed, theirs].map(
        async ({ id }) => (await emails.find("all", id, NOW))?.contentId,
      );
      expect(await Promise.all(contents)).toEqual([undefined, content, unnamed.contentId, content]);
      expect((await emails.content(sent.id))?.payload).toBeUndefined();
      expect((await claimAll(storage)).map(({ email }) => email.id)).toEqual([waiting.id]);
      // What is gone is in nobody's way.
      const second = { ...person(), address: bob, addressKey: bob, erasedAs: "erased-89abcdef@invalid" };
      const free = (await recipients.emailsTo(second, 0, 9)).filter(({ id }) => id !== waiting.id);
      await recipients.eraseEmails(second, free);
      expect((await emails.find("all", sent.id, NOW))?.to).toEqual([second.erasedAs, person().erasedAs]);
    });

    test("list campaigns piece by piece, and remove the person from no more than twenty at a time, as each is locked", async () => {
      const { campaigns, recipients } = world().storage;
      for (let made = 0; made < 21; made += 1) {
        const { id } = await campaigns.insert(newCampaign(world()));
        await campaigns.addRecipients(id, [{ name: "", address: ada, templateData: {} }]);
      }
      const { items } = await campaigns.list({ workspaceId: world().workspaceId }, { offset: 0, limit: 99 });
      const ids = items.map(({ id }) => id).sort((a, b) => a - b);
      const listed: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        const piece = await recipients.listedIn(person(), listed.at(-1) ?? 0, 8);
        listed.push(...piece.map(({ campaignId }) => campaignId));
      }
      expect(listed).toEqual(ids);
      const erased: number[] = [];
      for (let round = 0; round < 3; round += 1) erased.push(await recipients.eraseFromCampaigns(person()));
      expect(erased).toEqual([20, 1, 0]);
    });

    test("remove the person from campaigns' lists before their turn, and what is known of them after it", async () => {
      const { storage, workspaceId } = world();
      const { campaigns, recipients } = storage;
      const insert = async (over: object, ...addresses: string[]) => {
        const campaign = await campaigns.insert(newCampaign(world(), over));
        const people = addresses.map((address) => ({ name: "N", address, templateData: { for: address } }));
        await campaigns.addRecipients(campaign.id, people);
        return campaign;
      };
      const waiting = await insert({}, bob, ada, `x${ada}`);
      const done = await insert({}, ada, bob);
      const theirs = await insert({ workspaceId: await world().addWorkspace("Other") }, bob, ada);
      await campaigns.transition(done.id, ["draft"], { status: "running", lookAt: NOW, startedAt: NOW }, NOW);
      const { fence } = the(await campaigns.take("one", NOW, 100));
      const marks = [1, 2].map((position) => ({
        ...{ position, state: "skipped" as const, reason: `not ${ada}`, emailId: undefined },
      }));
      await campaigns.advance(done.id, fence, { cursor: 2, nextSlotAt: 0, marks });

      const other = { ...person(), workspaceId: theirs.workspaceId };
      expect(await recipients.countCampaigns(person())).toBe(2);
      expect(await recipients.eraseFromCampaigns(person())).toBe(2);
      expect([await recipients.countCampaigns(person()), await recipients.countCampaigns(other)]).toEqual([
        0, 1,
      ]);
      const listOf = async ({ id }: { id: number }) =>
        (await campaigns.recipientsAfter(id, 0, { limit: 9, maxBytes: 9_999 })).map(
          ({ position, name, address, templateData, reason }) => [
            ...[position, name, address, templateData["for"], reason],
          ],
        );
      expect(await listOf(waiting)).toEqual([
        [1, "N", bob, bob, ""],
        [3, "N", `x${ada}`, `x${ada}`, ""],
      ]);
      expect(await listOf(done)).toEqual([
        [1, "", person().erasedAs, undefined, ""],
        [2, "N", bob, bob, `not ${ada}`],
      ]);
      expect(await listOf(theirs)).toHaveLength(2);
      const counts = [waiting, done].map(
        async ({ id }) => (await campaigns.find(workspaceId, id))?.recipients,
      );
      expect(await Promise.all(counts)).toEqual([2, 2]);
      expect((await campaigns.find(theirs.workspaceId, theirs.id))?.recipients).toBe(2);
    });

    test("of workers that take at once, each gets other erasures", async () => {
      const { erasures } = world().storage;
      const counts = { emails: 0, campaigns: 0, events: 0 };
      const newErasure = (addressKey: string) => ({
        ...{ ...person(), ...counts, id: nextId(), addressKey, stage: "emails" as const },
        ...{ cursor: "", requestedAt: NOW },
      });
      const all = [1, 2, 3].map((at) => newErasure(`${at}@example.com`));
      for (const one of all) await erasures.insert(one);
      const takers = Array.from({ length: 8 }, () => erasures.take(NOW, NOW + 9, 1));
      const taken = (await Promise.all(takers)).flat();
      taken.push(...(await erasures.take(NOW, NOW + 9, 9)));
      expect(taken.map(({ id }) => id).sort()).toEqual(all.map(({ id }) => id).sort());
    });

    test("of due erasures, those come first for whom mail may wait", async () => {
      const { erasures } = world().storage;
      const counts = { emails: 0, campaigns: 0, events: 0, cursor: "" };
      const due = (addressKey: string, stage: "emails" | "events", requestedAt: number) =>
        erasures.insert({ ...person(), ...counts, id: nextId(), addressKey, stage, requestedAt });
      await due("1@example.com", "events", NOW - 9);
      await due("2@example.com", "emails", NOW - 1);
      await due("3@example.com", "emails", NOW - 5);
      const taken: string[] = [];
      for (let at = 0; at < 3; at += 1)
        taken.push(...(await erasures.take(NOW, NOW + 9, 1)).map(({ addressKey }) => addressKey));
      expect(taken).toEqual(["3@example.com", "2@example.com", "1@example.com"]);
    });

    /** Inserts an e-mail that was refused in words about Ada, reported, and read. */
    async function addRefused(...addresses: string[]) {
      const { storage, workspaceId } = world();
      const id = nextId();
      const words = `550 <${ada}> unknown, ${id}`;
      const email = newEmail(world(), {
        id,
        recipients: to(...addresses),
        dueAt: NOW - 9,
        tags: ["all", `for:${ada}`],
        metadata: { who: ada, order: 7 },
        origin: { idempotencyKey: `to-${ada}`, requestId: "r" },
      });
      const payload = { ...email.payload, data: { for: `${ada} ${id}` } };
      await storage.emails.insert([{ ...email, payload }]);
      let row = 0;
      for (const [now, state, next] of [
        [NOW - 9, "deferred", { retryAt: NOW - 8 }],
        [NOW - 8, "failed", { status: "failed", settledAt: NOW }],
      ] as const) {
        const claimed = the((await claimAll(storage, { now }))[0]);
        const result = resultOf(claimed, state, next);
        const told = { reply: `${claimed.attempt}. ${words}`, trace: words };
        const recipients = result.recipients.map((one) => ({ ...one, lastReply: words, remoteId: "q1" }));
        const attempt = { ...the(result.attempt), ...told };
        await storage.emailQueue.settle([{ ...result, attempt, recipients }], NOW);
        row = claimed.lease.row;
      }
      const report = (position: number, kind: RecipientReport["kind"]): RecipientReport => ({
        ...{ row, position, kind, class: "hard", category: "invalid_recipient", enhancedCode: undefined },
        ...{ reply: `${kind} ${words}`, source: "dsn", isBelieved: true, at: NOW },
      });
      await storage.reports.note(
        addresses.flatMap((_, position) => [report(position, "bounce"), report(position, "complaint")]),
      );
      const reportId = nextId();
      await storage.reports.keep({
        ...{ id: reportId, workspaceId, kind: "notification", source: "dsn", emailId: id },
        ...{ createdAt: NOW, digest: nextId(), raw: "cmF3" },
        effects: [{ kind: "bounce", recipient: ada, class: "hard", category: "x", effect: "noted" }],
      });
      const hits = {
        row,
        kind: "open",
        count: 1,
        humanCount: 0,
        firstAt: NOW,
        firstHumanAt: undefined,
      } as const;
      const told = {
        agentClass: "browser",
        machineReason: undefined,
        address: "192.0.2.7",
        agent: "F",
      } as const;
      await storage.tracking.add(
        [0, 1, undefined].map((position) => ({ ...hits, ...told, position })),
        1,
        row,
      );
      return { id, words, reportId };
    }

    async function toldOf({ id, reportId }: { id: string; reportId: string }) {
      const { emails, reports } = world().storage;
      const { to: addresses, subject, tags, metadata } = the(await emails.find("all", id, NOW));
      const history = the(await emails.history(id));
      return {
        ...{ to: addresses, subject, tags, metadata: JSON.stringify(metadata), origin: history.origin },
        data: (await emails.content(id))?.payload?.data,
        recipients: (await emails.recipients(id)).map((one) => [one.name, one.lastReply, one.remoteId]),
        attempts: (await emails.attempts(id)).map(({ reply, trace }) => [reply, trace]),
        reports: history.reports.map(({ position, kind, reply }) => [position, kind, reply]).sort(),
        hits: history.hits.map(({ position, address, agent }) => [position ?? "", address, agent]).sort(),
        ...the(await reports.find(world().workspaceId, reportId)),
      };
    }

    test("remove all that tells of the person from e-mails to them, alone or with others", async () => {
      const { recipients } = world().storage;
      const [alone, shared, theirs] = [
        await addRefused(ada),
        await addRefused(bob, ada),
        await addRefused(bob),
      ];
      const before = await toldOf(theirs);
      const { erasedAs } = person();
      await recipients.eraseEmails(person(), await recipients.emailsTo(person(), 0, 9));
      expect(await toldOf(theirs)).toEqual(before);
      const words = shared.words.replace(ada, erasedAs);
      const effects = [
        { kind: "bounce", recipient: erasedAs, class: "hard", category: "x", effect: "noted" },
      ];
      const unknown = [undefined, undefined];
      expect(await toldOf(alone)).toMatchObject({
        ...{ to: [erasedAs], subject: "(erased)", tags: ["all"], metadata: "{}", data: undefined },
        origin: { idempotencyKey: expect.stringMatching(/^to-erased-\w{8}@invalid/), requestId: "r" },
        ...{ recipients: [["", "", undefined]], raw: "", effects },
        attempts: [
          ["", undefined],
          ["", undefined],
        ],
        reports: [
          [0, "bounce", ""],
          [0, "complaint", ""],
        ],
        hits: [
          ["", ...unknown],
          [0, ...unknown],
          [1, "192.0.2.7", "F"],
        ],
      });
      expect(await toldOf(shared)).toMatchObject({
        ...{ to: [bob, erasedAs], subject: "Hello", tags: ["all", `for:${erasedAs}`] },
        ...{
          metadata: JSON.stringify({ who: erasedAs, order: 7 }),
          data: { for: `${erasedAs} ${shared.id}` },
        },
        recipients: [
          ["bob", words, "q1"],
          ["", "", undefined],
        ],
        attempts: [
          [`1. ${words}`, words],
          [`2. ${words}`, words],
        ],
        ...{ raw: "", effects },
        reports: [
          [0, "bounce", `bounce ${words}`],
          [0, "complaint", `complaint ${words}`],
          [1, "bounce", ""],
          [1, "complaint", ""],
        ],
        hits: [
          ["", ...unknown],
          [0, "192.0.2.7", "F"],
          [1, ...unknown],
        ],
      });
    });
  });
};
