import { describe, expect, test } from "vitest";
import type { NewHits, Storage } from "../../ports/storage.ts";
import { erasedPerson, NOW, newEmail, to, useSendingWorld } from "./sending-world.ts";

const day = 86_400_000;

/** The contract of `Tracking`. */
export function describeTracking(open: () => Promise<Storage>): void {
  describe("tracking", () => {
    const world = useSendingWorld(open);

    async function addEmail(addresses = ["ada@example.com"]): Promise<{ id: string; row: number }> {
      const email = newEmail(world(), {
        recipients: to(...addresses),
        tags: ["a"],
        metadata: { order: 7 },
      });
      await world().storage.emails.insert([email]);
      const found = await world().storage.reports.findEmail({ id: email.id });
      return { id: email.id, row: found?.row ?? 0 };
    }

    const hits = (row: number, over: Partial<NewHits> = {}): NewHits => ({
      row,
      position: 0,
      kind: "open",
      count: 1,
      humanCount: 0,
      firstAt: NOW,
      firstHumanAt: undefined,
      agentClass: "unknown",
      machineReason: undefined,
      address: undefined,
      agent: undefined,
      ...over,
    });
    const human = (row: number, at = NOW, over: Partial<NewHits> = {}): NewHits =>
      hits(row, { humanCount: 1, firstAt: at, firstHumanAt: at, agentClass: "browser", ...over });

    let pieces = 0;
    /** Adds a new piece. */
    const add = (added: readonly NewHits[], { tracking }: Pick<Storage, "tracking"> = world().storage) =>
      tracking.add(added, day, ++pieces);

    test("e-mails are found by their rows, with the fields of their events and their recipients", async () => {
      const { storage, workspaceId } = world();
      const [one, two] = [await addEmail(), await addEmail(["a@example.com", "b@example.com"])];
      await addEmail();
      const found = await storage.tracking.find([one.row, two.row, one.row, two.row + 1_000]);
      expect(found.map(({ keepsDetails }) => keepsDetails)).toEqual([false, false]);
      expect(found.map(({ row }) => row).sort()).toEqual([one.row, two.row].sort());
      const of = (row: number) => found.find((each) => each.row === row);
      expect(of(one.row)?.email).toMatchObject({
        id: one.id,
        workspaceId,
        subject: "Hello",
        tags: ["a"],
        metadata: { order: 7 },
      });
      expect(of(two.row)?.recipients.map(({ address, state }) => [address, state])).toEqual([
        ["a@example.com", "pending"],
        ["b@example.com", "pending"],
      ]);
      expect(await storage.tracking.find([])).toEqual([]);
      const rows = [one.row, two.row, one.row, two.row + 1_000];
      expect(await storage.tracking.workspacesOf(rows)).toEqual(
        new Map([one.row, two.row].map((row) => [row, workspaceId])),
      );
      expect((await storage.tracking.workspacesOf([])).size).toBe(0);
      await storage.settings.update(workspaceId, { trackingDetails: true, updatedAt: NOW });
      expect((await storage.tracking.find([one.row])).map(({ keepsDetails }) => keepsDetails)).toEqual([
        true,
      ]);
    });

    test("hits are added up by recipient and kind: the earliest times stay, the latest program wins", async () => {
      const { tracking, emails } = world().storage;
      const { id, row } = await addEmail(["a@example.com", "b@example.com"]);
      await add([hits(row, { machineReason: "too_soon", address: "192.0.2.0/24" })]);
      const later = human(row, NOW + 9, { count: 3, agent: "Firefox", address: "198.51.100.7" });
      await add([human(row, NOW + 20, { kind: "click" }), later]);
      await add([human(row, NOW + 5), hits(row, { position: undefined, firstAt: NOW - 1 })]);
      expect(await tracking.list(row)).toEqual([
        {
          position: 0,
          kind: "open",
          count: 5,
          humanCount: 2,
          firstAt: NOW,
          firstHumanAt: NOW + 5,
          agentClass: "browser",
          machineReason: "too_soon",
          address: undefined,
          agent: undefined,
        },
        expect.objectContaining({ position: undefined, kind: "open", firstAt: NOW - 1, humanCount: 0 }),
        expect.objectContaining({ position: 0, kind: "click", count: 1, firstHumanAt: NOW + 20 }),
      ]);
      expect((await emails.history(id))?.hits).toEqual(await tracking.list(row));
      await add([]);
      expect(await tracking.list(row + 1_000)).toEqual([]);
    });

    test("a person's first hit is announced once, however many processes add to a row at once", async () => {
      const { tracking } = world().storage;
      const { row } = await addEmail(["a@example.com", "b@example.com"]);
      const both = [human(row, NOW, { position: 1 }), human(row), hits(row, { kind: "click" })];
      const answers = await Promise.all(Array.from({ length: 8 }, () => add(both)));
      expect(
        answers
          .flat()
          .map(({ position, kind }) => [position, kind])
          .sort(),
      ).toEqual([
        [0, "open"],
        [1, "open"],
      ]);
      expect(await tracking.list(row)).toMatchObject([
        { position: 0, kind: "open", count: 8, humanCount: 8 },
        { position: 1, kind: "open", count: 8, humanCount: 8 },
        { position: 0, kind: "click", count: 8, humanCount: 0 },
      ]);
      expect(await add([human(row, NOW, { kind: "click" })])).toEqual([{ row, position: 0, kind: "click" }]);
    });

    test("a piece that is repeated, wholly or in part, adds nothing and announces nothing", async () => {
      const { tracking } = world().storage;
      const { row } = await addEmail(["a@example.com", "b@example.com"]);
      const both = [human(row, NOW, { position: 1 }), human(row)];
      expect(await tracking.add(both.slice(1), day, 7)).toHaveLength(1);
      expect(await tracking.add(both, day, 7)).toEqual([{ row, position: 1, kind: "open" }]);
      expect(await tracking.add(both, day, 7)).toEqual([]);
      expect((await tracking.list(row)).map(({ count, humanCount }) => [count, humanCount])).toEqual([
        [1, 1],
        [1, 1],
      ]);
      await tracking.add(both, day, 8);
      expect((await tracking.list(row)).map(({ count }) => count)).toEqual([2, 2]);
    });

    test("a person's first hit is announced only within the given time of the first", async () => {
      const [one, two] = [await addEmail(), await addEmail()];
      await add([hits(one.row), hits(two.row)]);
      const announced = await add([human(one.row, NOW + day), human(two.row, NOW + day + 1)]);
      expect(announced).toEqual([{ row: one.row, position: 0, kind: "open" }]);
      expect(await add([human(two.row, NOW + day + 2)])).toEqual([]);
      const other = human(one.row, NOW, { kind: "click" });
      const { tracking } = world().storage;
      expect(await tracking.add([other], 2 * day, ++pieces)).toEqual([
        { row: one.row, position: 0, kind: "click" },
      ]);
    });

    test("hits go with their e-mail, and none are added to one that is gone", async () => {
      const { storage, workspaceId } = world();
      const { id, row } = await addEmail();
      await addEmail();
      await add([human(row)]);
      await storage.emails.cancel(workspaceId, id, NOW);
      await storage.emails.deleteBefore(workspaceId, NOW + 1, 10);
      expect(await storage.tracking.list(row)).toEqual([]);
      expect(await add([human(row)])).toEqual([]);
      expect(await storage.tracking.list(row)).toEqual([]);
    });

    test("a rolled back announcement is made again", async () => {
      const { storage } = world();
      const { row } = await addEmail();
      const undone = storage.transaction(async (inside) => {
        expect(await add([human(row)], inside)).toHaveLength(1);
        throw new Error("no");
      });
      await expect(undone).rejects.toThrow("no");
      expect(await add([human(row)])).toHaveLength(1);
    });

    test("erasing a recipient removes the address and program of their hits, and of a shared message's", async () => {
      const { storage } = world();
      const { row } = await addEmail(["ada@example.com", "b@example.com"]);
      const told = { address: "192.0.2.1", agent: "Firefox" };
      const positions = [0, 1, undefined];
      await add(positions.map((position) => hits(row, { position, ...told })));
      const person = erasedPerson(world());
      await storage.recipients.eraseEmails(person, await storage.recipients.emailsTo(person, 0, 9));
      expect(await storage.tracking.list(row)).toMatchObject([
        { position: 0, count: 1, address: undefined, agent: undefined },
        { position: 1, count: 1, ...told },
        { position: undefined, count: 1, address: undefined, agent: undefined },
      ]);
    });
  });
}
