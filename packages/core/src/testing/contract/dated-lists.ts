import { describe, expect, test } from "vitest";
import type { EmailFilter, Slice, Storage } from "../../ports/storage.ts";
import { NOW, newEmail, useSendingWorld } from "./sending-world.ts";

/** More than what a storage may look at to see that a filter matches few e-mails. */
const count = 1_100;

/** The contract of the e-mail log between two times. */
export function describeDatedLists(open: () => Promise<Storage>): void {
  describe("lists of e-mails between two times", () => {
    const world = useSendingWorld(open);

    test("are in the order of the times, and walked completely, with each other filter", async () => {
      const { storage, workspaceId } = world();
      const to = (kind: "to" | "cc", address: string) => ({ kind, name: "", address });
      const once = [to("to", "a@example.com")];
      const twice = [to("to", "b@example.com"), to("cc", "B@example.com")];
      const isScheduled = (at: number) => at % 150 === 0;
      const emails = Array.from({ length: count }, (_, at) =>
        newEmail(world(), {
          subject: String(at),
          // Three at a time, and some by a clock that was behind.
          createdAt: NOW + Math.floor(at / 3) - (at % 7 === 0 ? 200 : 0),
          template: at < 5 ? "rare" : "order",
          tags: at % 2 === 0 ? ["even"] : [],
          batchId: at < 1_050 ? undefined : "batch",
          ...(at % 3 === 0 && { apiKeyId: "leaked" }),
          recipients: at % 50 === 0 ? twice : once,
          ...(isScheduled(at) && { scheduledAt: NOW + 1e9, dueAt: NOW + 1e9 }),
        }),
      );
      await storage.emails.insert(emails);
      for (const at of [3, 500, 501]) await storage.emails.cancel(workspaceId, emails[at]?.id ?? "", NOW);
      const cancelled = (at: number) => [3, 500, 501].includes(at);
      const filters: [Partial<EmailFilter>, (at: number) => boolean][] = [
        [{}, () => true],
        [{ template: "order" }, (at) => at >= 5],
        [{ template: "rare" }, (at) => at < 5],
        [{ tag: "even" }, (at) => at % 2 === 0],
        [{ to: "a@example.com" }, (at) => at % 50 !== 0],
        [{ batchId: "batch" }, (at) => at >= 1_050],
        [{ apiKeyId: "leaked" }, (at) => at % 3 === 0],
        [{ apiKeyId: "leaked", status: "scheduled" }, (at) => at % 3 === 0 && isScheduled(at)],
        [{ apiKeyId: "leaked", tag: "even" }, (at) => at % 6 === 0],
        [{ to: "b@example.com" }, (at) => at % 50 === 0],
        [{ status: "queued" }, (at) => !cancelled(at) && !isScheduled(at)],
        [{ status: "scheduled" }, isScheduled],
        [{ status: "scheduled", to: "b@example.com" }, isScheduled],
        [{ status: "cancelled" }, cancelled],
        [{ status: "cancelled", to: "a@example.com" }, (at) => at === 3 || at === 501],
        [
          { status: "queued", to: "b@example.com", tag: "even" },
          (at) => at % 50 === 0 && !cancelled(at) && !isScheduled(at),
        ],
      ];
      const ranges = [{ from: NOW - 1_000 }, { from: NOW + 50, until: NOW + 60 }, { until: NOW + 340 }];
      const timeOf = (subject: string) => emails[Number(subject)]?.createdAt ?? 0;
      for (const range of ranges)
        for (const [filter, matches] of filters) {
          const { from = 0, until = Number.POSITIVE_INFINITY } = range as { from?: number; until?: number };
          const expected = emails
            .map(({ subject }) => subject)
            .filter((subject) => matches(Number(subject)))
            .filter((subject) => timeOf(subject) >= from && timeOf(subject) < until);
          const walked: string[] = [];
          // Pages that end between two rows of an e-mail that names the address twice.
          const limit = filter.to === "b@example.com" ? 5 : 100;
          let slice: Slice | undefined = { offset: 0, limit };
          while (slice !== undefined) {
            const page = await storage.emails.list({ workspaceId, ...range, ...filter }, slice, NOW);
            expect(page.total, JSON.stringify([range, filter])).toBe(expected.length);
            walked.push(...page.items.map(({ subject }) => subject));
            slice = page.after && { offset: 0, limit, after: page.after };
          }
          // The walk's pages may tell the total themselves: this one has it counted.
          const behind = { offset: emails.length, limit };
          const { total } = await storage.emails.list({ workspaceId, ...range, ...filter }, behind, NOW);
          expect(total, JSON.stringify([range, filter])).toBe(expected.length);
          expect(walked.toSorted(), JSON.stringify([range, filter])).toEqual(expected.toSorted());
          if (Object.keys(filter).length > 0) continue;
          const inOrder = expected.toSorted((a, b) => timeOf(b) - timeOf(a) || Number(b) - Number(a));
          expect(walked).toEqual(inOrder);
          const far = await storage.emails.list({ workspaceId, ...range }, { offset: 7, limit: 20 }, NOW);
          expect(far.items.map(({ subject }) => subject)).toEqual(inOrder.slice(7, 27));
        }
    });
  });
}
