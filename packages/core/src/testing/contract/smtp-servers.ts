import { describe, expect, test } from "vitest";
import { campaignRoute, serversRoute, workspaceRoute } from "../../mail/rules/routes.ts";
import { everyRoute, type SmtpServer, type Storage, UniqueViolation } from "../../ports/storage.ts";
import { NOW, nextId, type SendingWorld, useSendingWorld } from "./sending-world.ts";

const hour = 3_600_000;

function addServer(world: SendingWorld, over: Partial<SmtpServer> = {}): Promise<SmtpServer> {
  return world.storage.smtpServers.insert({
    id: nextId(),
    workspaceId: world.workspaceId,
    name: `relay ${nextId()}`,
    host: "relay.example",
    port: 587,
    security: "starttls",
    username: "",
    password: undefined,
    fromDomains: [],
    isDefault: false,
    isActive: true,
    priority: 50,
    maxConnections: 3,
    maxPerSecond: undefined,
    maxPerHour: undefined,
    returnPath: "sender",
    createdAt: NOW,
    ...over,
  });
}

/** The contract of `SmtpServers`. */
export function describeSmtpServers(open: () => Promise<Storage>): void {
  describe("mail servers", () => {
    const world = useSendingWorld(open);

    test("a server is found as created, in its own workspace only", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const given = {
        name: "relay",
        host: "2001:db8::1",
        security: "tls",
        username: "ann",
        password: "sealed",
        fromDomains: ["shop.example", ".shop.example"],
        isDefault: true,
        maxPerSecond: 0.01,
        maxPerHour: 100,
        returnPath: "bounces@shop.example",
      } as const;
      const made = await addServer(world(), { ...given, fromDomains: [...given.fromDomains] });
      expect(made).toEqual({
        ...given,
        row: made.row,
        id: made.id,
        workspaceId,
        port: 587,
        isActive: true,
        priority: 50,
        maxConnections: 3,
        version: 1,
        health: {
          state: "up",
          downUntil: undefined,
          trialUntil: undefined,
          downSince: undefined,
          downTimes: 0,
          toldAt: undefined,
          lastError: "",
          lastErrorAt: undefined,
        },
        healthVersion: 1,
        createdAt: NOW,
        updatedAt: NOW,
      });
      const { smtpServers } = storage;
      expect(await smtpServers.find(workspaceId, made.id)).toEqual(made);
      expect(await smtpServers.find(other, made.id)).toBeUndefined();
      expect(await smtpServers.update(other, made.id, { name: "x", updatedAt: NOW })).toBeUndefined();
      expect(await smtpServers.delete(other, made.id)).toBeUndefined();
      expect(await smtpServers.list(other)).toEqual([]);
      expect([await smtpServers.count(workspaceId), await smtpServers.count(other)]).toEqual([1, 0]);
      await addServer(world(), { workspaceId: other, name: "relay" });
      await expect(addServer(world(), { name: "relay" })).rejects.toThrow(UniqueViolation);
    });

    test("changes the given fields only, and counts the changes; a corrected one has its health reset", async () => {
      const { smtpServers } = world().storage;
      const { workspaceId } = world();
      const made = await addServer(world(), { maxPerSecond: 5, password: "sealed", username: "ann" });
      const changed = await smtpServers.update(workspaceId, made.id, {
        maxPerSecond: undefined,
        password: undefined,
        username: "",
        updatedAt: NOW + 1,
      });
      expect(changed).toEqual({
        ...made,
        maxPerSecond: undefined,
        password: undefined,
        username: "",
        version: 2,
        updatedAt: NOW + 1,
      });
      const health = {
        ...made.health,
        state: "down",
        downUntil: NOW + 5,
        trialUntil: NOW + 9,
        downTimes: 1,
      } as const;
      expect(await smtpServers.changeHealth(made.row, 1, health)).toBe(true);
      expect(await smtpServers.changeHealth(made.row, 1, made.health)).toBe(false);
      expect(await smtpServers.update(workspaceId, made.id, { priority: 1, updatedAt: NOW })).toMatchObject({
        priority: 1,
        health,
        healthVersion: 2,
      });
      const { health: healthy } = made;
      const mended = await smtpServers.update(workspaceId, made.id, { updatedAt: NOW, health: healthy });
      expect(mended).toMatchObject({ health: healthy, healthVersion: 3, version: 4 });
    });

    test("of concurrent health changes based on the same state, one succeeds", async () => {
      const { smtpServers } = world().storage;
      const { row, health } = await addServer(world());
      const down = { ...health, state: "down", downTimes: 1 } as const;
      const done = await Promise.all(
        Array.from({ length: 5 }, () => smtpServers.changeHealth(row, 1, { ...down })),
      );
      expect(done.filter(Boolean)).toHaveLength(1);
    });

    test("what is written of one server changes no other", async () => {
      const { smtpServers } = world().storage;
      const { workspaceId } = world();
      const [other, made] = [await addServer(world()), await addServer(world())];
      expect(await smtpServers.find(workspaceId, made.id)).toEqual(made);
      expect(await smtpServers.update(workspaceId, made.id, { priority: 1, updatedAt: NOW })).toMatchObject({
        id: made.id,
        priority: 1,
      });
      expect(await smtpServers.changeHealth(made.row, 1, { ...made.health, state: "down" })).toBe(true);
      await smtpServers.countSent([{ row: other.row, count: 1 }], "w", NOW);
      expect(await smtpServers.activity([made.row], NOW)).toEqual([]);
      expect(await smtpServers.delete(workspaceId, made.id)).toMatchObject({ id: made.id });
      expect(await smtpServers.list(workspaceId)).toEqual([other]);
    });

    test("usable servers are listed for many workspaces at once, by priority, and in sending workspaces", async () => {
      const { storage, workspaceId } = world();
      const other = await world().addWorkspace("Other");
      const late = await addServer(world(), { priority: 60 });
      const first = await addServer(world(), { priority: 1 });
      await addServer(world(), { isActive: false });
      await storage.settings.update(other, { platformServer: false, updatedAt: NOW });
      const choices = await storage.smtpServers.findChoices([workspaceId, other, 999_999]);
      expect(choices.sort((a, b) => a.workspaceId - b.workspaceId)).toEqual([
        { workspaceId, servers: [first, late], platformServer: true },
        { workspaceId: other, servers: [], platformServer: false },
      ]);
      expect(await storage.smtpServers.findChoices([])).toEqual([]);
      const [context] = await storage.workspaces.listSending([workspaceId]);
      expect(context?.servers.map(({ id }) => id)).toEqual([first.id, late.id]);
    });

    test("send times are reserved once each, in order, for concurrent callers, and none too far ahead", async () => {
      const { smtpServers } = world().storage;
      const { row } = await addServer(world());
      const now = NOW * 1000;
      const wanted = { interval: 100_000, now, within: 1_000_000 };
      const taken = await Promise.all(
        Array.from({ length: 6 }, () => smtpServers.takeSlots(row, { ...wanted, count: 3 })),
      );
      const times = taken
        .flatMap(({ first, granted }) =>
          Array.from({ length: granted }, (_, index) => first + index * wanted.interval),
        )
        .sort((a, b) => a - b);
      expect(times).toEqual(Array.from({ length: 11 }, (_, index) => now + index * 100_000));
      expect(await smtpServers.takeSlots(row, { ...wanted, count: 1 })).toMatchObject({
        granted: 0,
        next: now + 1_100_000,
      });
      // An hour without messages does not accumulate allowance.
      const later = { ...wanted, now: now + hour * 1000, count: 2 };
      expect(await smtpServers.takeSlots(row, later)).toEqual({
        granted: 2,
        first: later.now,
        next: later.now + 200_000,
      });
      // Only whole messages are granted.
      const odd = { interval: 400_000, now: now + 2 * hour * 1000, within: 1_000_000, count: 9 };
      expect(await smtpServers.takeSlots(row, odd)).toEqual({
        granted: 3,
        first: odd.now,
        next: odd.now + 1_200_000,
      });
      // A clock that differs by seconds gets nothing before the earlier grants are over.
      const behind = { ...wanted, now: odd.now - 4_000_000, count: 1 };
      expect(await smtpServers.takeSlots(row, behind)).toMatchObject({ granted: 0 });
      // One that stepped back by an hour is not held until it is there again.
      const back = { ...wanted, now: odd.now - hour * 1000, count: 1 };
      expect(await smtpServers.takeSlots(row, back)).toEqual({
        granted: 1,
        first: back.now,
        next: back.now + 100_000,
      });
    });

    test("counts accepted messages by worker and hour, deletes old counts, and keeps the last", async () => {
      const { smtpServers, retention } = world().storage;
      const a = await addServer(world());
      const b = await addServer(world());
      const count = (row: number, by: number, worker: string, at: number) =>
        smtpServers.countSent([{ row, count: by }], worker, at);
      await count(a.row, 5, "w1", NOW - 30 * hour);
      await Promise.all([
        count(a.row, 2, "w1", NOW),
        count(a.row, 1, "w2", NOW + 1),
        count(b.row, 4, "w1", NOW),
      ]);
      await count(a.row, 1, "w1", NOW + 2);
      const activity = async (since: number) =>
        (await smtpServers.activity([a.row, b.row], since)).sort((x, y) => x.row - y.row);
      expect(await activity(NOW - 24 * hour)).toEqual([
        { row: a.row, sent: 4, lastSuccessAt: NOW + 2 },
        { row: b.row, sent: 4, lastSuccessAt: NOW },
      ]);
      expect(await activity(NOW - 31 * hour)).toMatchObject([{ sent: 9 }, { sent: 4 }]);
      await smtpServers.countSent([], "w1", NOW);
      expect(await retention.countTimed("smtp_sent", NOW + hour)).toBe(2);
      expect(await smtpServers.deleteCountsBefore(NOW + hour, 1)).toBe(1);
      expect(await smtpServers.deleteCountsBefore(NOW + hour, 9)).toBe(1);
      expect(await smtpServers.deleteCountsBefore(NOW + hour, 9)).toBe(0);
      expect(await activity(NOW - 24 * hour)).toMatchObject([{ sent: 1 }, { sent: 4 }]);
    });

    test("writes about a deleted server do nothing, and are cleaned up", async () => {
      const { storage, workspaceId } = world();
      const { smtpServers } = storage;
      const { row, id } = await addServer(world());
      expect((await smtpServers.delete(workspaceId, id))?.id).toBe(id);
      await smtpServers.countSent([{ row, count: 1 }], "w1", NOW);
      await smtpServers.takeSlots(row, { count: 1, interval: 1, now: NOW, within: 1 });
      expect(await smtpServers.deleteCountsBefore(NOW + 1, 9)).toBe(2);
      const next = await addServer(world());
      expect(next.row).toBeGreaterThan(row);
    });

    test("holds with an end are removed from all routes of a workspace's e-mails, and no others", async () => {
      const { storage, workspaceId } = world();
      const { emailQueue } = storage;
      const kept = [
        { route: serversRoute(workspaceId, [3]), owner: "operator", until: undefined },
        { route: serversRoute(workspaceId * 10, [3]), owner: "server", until: NOW + 9 },
        { route: workspaceRoute(workspaceId * 10), owner: "server", until: NOW + 9 },
        { route: everyRoute, owner: "operator", until: undefined },
        { route: campaignRoute(workspaceId, 1), owner: "campaign", until: undefined },
        { route: campaignRoute(workspaceId * 10, 1), owner: "server", until: NOW + 9 },
      ] as const;
      const lifted = [
        serversRoute(workspaceId, [3, 4]),
        campaignRoute(workspaceId, 2),
        workspaceRoute(workspaceId),
      ];
      for (const one of [
        ...kept,
        ...lifted.map((route) => ({ route, owner: "server" as const, until: NOW + 9 })),
      ])
        await emailQueue.park({ ...one, reason: "" }, NOW);
      await emailQueue.unparkServers(workspaceId);
      const routes = (await emailQueue.parked(NOW)).map(({ route }) => route);
      expect(routes.sort()).toEqual(kept.map(({ route }) => route).sort());
    });
  });
}
