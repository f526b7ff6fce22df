import { type Posthorn, ServiceError, type Storage, StorageUnavailable } from "@posthorn/core";
import { createWorld, type TestWorkspace, type World } from "@posthorn/core/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { openTestPostgres } from "./open-test-storage.ts";

/** What must hold under any concurrency (reliability.md, threats 6 to 8, 23 and 25 to 29): 50 racers, round after round. */
const rounds = Number(process.env["ROUNDS"] ?? 3);
const racers = 50;

const engines: { name: string; open: () => Promise<Storage> }[] = [
  { name: "SQLite", open: () => openTestSqlite() },
  { name: "PostgreSQL", open: () => openTestPostgres() },
];

describe.each(engines)("invariants on $name", ({ open }) => {
  let world: World;
  let posthorn: Posthorn;
  let count = 0;
  beforeAll(async () => {
    world = await createWorld(await open());
    posthorn = world.posthorn;
  });
  afterAll(() => world.close());

  /** Runs them all at once. What came of each: `done`, or the code of its refusal; any other failure is a fault. */
  async function race(start: (racer: number) => Promise<unknown>): Promise<string[]> {
    return Promise.all(
      Array.from({ length: racers }, async (_, racer) => {
        try {
          await start(racer);
          return "done";
        } catch (error) {
          if (error instanceof ServiceError && error.code !== "internal_error") return error.code;
          if (error instanceof StorageUnavailable) return "unavailable";
          throw error;
        }
      }),
    );
  }

  const inRounds = async (round: () => Promise<void>): Promise<void> => {
    for (let at = 0; at < rounds; at += 1) await round();
  };
  const done = (outcomes: string[]): number => outcomes.filter((each) => each === "done").length;
  const makePlan = (limits: object = {}) => posthorn.plans.create({ name: `plan ${++count}`, ...limits });
  const withPlan = async (limits: object): Promise<TestWorkspace> => {
    const [workspace, plan] = [await world.addWorkspace(), await makePlan(limits)];
    await posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id });
    return workspace;
  };

  test("a workspace has exactly one owner, whoever transfers, demotes, removes and leaves", async () => {
    const workspace = await world.addWorkspace();
    const people = [workspace.owner];
    for (let at = 0; at < 3; at += 1) people.push(await workspace.addMember("admin"));
    await inRounds(async () => {
      await race((racer) => {
        const [actor, target] = [people[racer % 4], people[(racer + 1 + (racer >> 2)) % 4]];
        if (actor === undefined || target === undefined) throw new TypeError("nobody");
        const as = workspace.as(actor);
        if (racer % 3 === 0) return posthorn.members.remove({ memberId: target.userId }, as);
        if (racer % 3 === 1) return posthorn.members.setRole({ memberId: target.userId, role: "admin" }, as);
        return posthorn.workspaces.transferOwnership({ userId: target.userId }, as);
      });
      const members = await world.storage.members.list(workspace.id);
      expect(members.filter(({ role }) => role === "owner")).toHaveLength(1);
      for (const { userId } of people)
        if (!members.some((member) => member.userId === userId))
          await world.storage.members.insert({
            workspaceId: workspace.id,
            userId,
            role: "admin",
            createdAt: 0,
          });
    });
  });

  test("who is removed in the midst of their own requests changes nothing after that", async () => {
    await inRounds(async () => {
      const workspace = await world.addWorkspace();
      const admin = await workspace.addMember("admin");
      const removal = Promise.withResolvers<void>();
      const outcomes = await race(async (racer) => {
        if (racer === 0) {
          await posthorn.members.remove({ memberId: admin.userId }, workspace.asOwner);
          removal.resolve();
          return;
        }
        // The first half runs beside the removal, the second begins after it.
        if (racer >= racers / 2) await removal.promise;
        await posthorn.stylesheets.create({ name: `s${racer}`, css: "p{}" }, workspace.as(admin));
      });
      for (const code of outcomes) expect(["done", "not_a_member", "unavailable"]).toContain(code);
      expect(outcomes.slice(racers / 2)).not.toContain("done");
      await expect(
        posthorn.stylesheets.create({ name: "late", css: "p{}" }, workspace.as(admin)),
      ).rejects.toMatchObject({ code: "not_a_member" });
    });
  });

  test("an invitation is accepted once; and cancelled or accepted, not both", async () => {
    const workspace = await world.addWorkspace();
    await inRounds(async () => {
      const guest = await world.addUser();
      const { id } = await posthorn.invitations.create(
        { email: guest.email, role: "viewer" },
        workspace.asOwner,
      );
      const outcomes = await race((racer) =>
        racer === 25
          ? posthorn.invitations.cancel({ id }, workspace.asOwner)
          : posthorn.invitations.acceptById({ id }, { as: guest }),
      );
      const [cancelled] = outcomes.splice(25, 1);
      const isMember = (await world.storage.members.roleOf(workspace.id, guest.userId)) !== undefined;
      expect(done(outcomes)).toBe(isMember ? 1 : 0);
      // One who accepted may since be cancelled only as an invitation that no longer waits.
      expect(isMember || cancelled === "done").toBe(true);
      for (const code of outcomes) expect(["done", "invitation_not_pending", "not_found"]).toContain(code);
    });
  });

  test("a user and a workspace of the host's are made once, whoever asks for them", async () => {
    await inRounds(async () => {
      const externalId = `host ${++count}`;
      const ids = new Set<string>();
      const outcomes = await race(async () => {
        const { id: userId } = await posthorn.users.ensure({
          externalId,
          name: "Ada",
          email: `${count}@host.example`,
        });
        const { id } = await posthorn.workspaces.ensure({ externalId, name: externalId, userId });
        ids.add(`${userId} ${id}`);
      });
      expect(done(outcomes)).toBe(racers);
      expect(ids.size).toBe(1);
      const found = await world.storage.workspaces.findByExternalId(externalId);
      expect(await world.storage.members.list(found?.id ?? 0)).toHaveLength(1);
    });
  });

  test("a quota is exact, also for several recipients at once", async () => {
    await inRounds(async () => {
      const workspace = await withPlan({ hourlyRateLimit: 7 });
      const options = { workspaceId: workspace.id };
      const sizes = Array.from({ length: racers }, (_, racer) => (racer % 3) + 1);
      const outcomes = await race((racer) => {
        const to = Array.from({ length: sizes[racer] ?? 1 }, (_, at) => `r${at}@example.com`);
        return posthorn.emails.send({ subject: "S", text: "T", to }, options);
      });
      const accepted = sizes
        .filter((_, racer) => outcomes[racer] === "done")
        .reduce((sum, size) => sum + size, 0);
      expect(accepted).toBe(7);
      const { total } = await posthorn.emails.list({}, options);
      expect(total).toBe(done(outcomes));
    });
  });

  test("with one left, one of fifty is accepted", async () => {
    await inRounds(async () => {
      const { id } = await withPlan({ dailyRateLimit: 1 });
      const outcomes = await race(() =>
        posthorn.emails.send({ subject: "S", text: "T", to: ["a@example.com"] }, { workspaceId: id }),
      );
      expect(done(outcomes)).toBe(1);
      expect([...new Set(outcomes)].toSorted()).toEqual(["done", "rate_limited"]);
    });
  });

  test("a plan is deleted or assigned, never both", async () => {
    const workspace = await world.addWorkspace();
    await inRounds(async () => {
      const plan = await makePlan();
      await race((racer) => {
        if (racer % 5 === 0) return posthorn.plans.delete({ planId: plan.id, force: racer % 10 === 0 });
        if (racer % 5 === 1)
          return posthorn.plans.assignToUser({ userId: workspace.owner.userId, planId: plan.id });
        return posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id });
      });
      const stands = await world.storage.plans.find(plan.id);
      const held = [
        (await world.storage.workspaces.find(workspace.id))?.planId,
        (await world.storage.users.find(workspace.owner.userId))?.planId,
      ];
      if (stands === undefined) expect(held).not.toContain(plan.id);
    });
  });

  test("there is one default plan, whoever sets, creates and updates", async () => {
    const plans = [await makePlan({ isDefault: true }), await makePlan(), await makePlan(), await makePlan()];
    await inRounds(async () => {
      await race((racer) => {
        const planId = plans[racer % 4]?.id ?? 0;
        if (racer % 5 === 0) return makePlan({ isDefault: true });
        if (racer % 5 === 1) return posthorn.plans.update({ planId, isDefault: true });
        if (racer % 5 === 2) return posthorn.plans.update({ planId, isActive: racer % 2 === 0 });
        return posthorn.plans.setDefault({ planId });
      });
      const defaults = (await posthorn.plans.list({})).items.filter(({ isDefault }) => isDefault);
      expect(defaults).toHaveLength(1);
      expect(defaults[0]?.isActive).toBe(true);
    });
  });

  test("a template has one active version, which is there; numbers are never given twice", async () => {
    const workspace = await world.addWorkspace();
    await inRounds(async () => {
      const template = await posthorn.templates.create({ name: `t${++count}`, text: "1" }, workspace.asOwner);
      const templateId = template.id;
      const made = await Promise.all(
        Array.from({ length: racers }, (_, at) =>
          posthorn.templateVersions.create({ templateId, text: `${at}` }, workspace.asOwner),
        ),
      );
      const numbers = made.map(({ versionNumber }) => versionNumber).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: racers }, (_, at) => at + 2));
      await race((racer) => {
        const versionId = made[racer % 6]?.id ?? "";
        return racer % 2 === 0
          ? posthorn.templateVersions.activate({ templateId, versionId }, workspace.asOwner)
          : posthorn.templateVersions.delete({ templateId, versionId }, workspace.asOwner);
      });
      const { items: versions } = await posthorn.templateVersions.list({ templateId }, workspace.asOwner);
      const active = versions.filter(({ isActive }) => isActive).map(({ id }) => id);
      expect(active).toEqual([
        (await posthorn.templates.get({ templateId }, workspace.asOwner)).activeVersionId,
      ]);
    });
  });

  test("count limits hold: API keys of a workspace, workspaces of a person", async () => {
    await inRounds(async () => {
      const workspace = await withPlan({ maxApiKeys: 3, maxWorkspaces: 3 });
      const planId = (await world.storage.workspaces.find(workspace.id))?.planId ?? 0;
      await posthorn.plans.assignToUser({ userId: workspace.owner.userId, planId });
      const outcomes = await race((racer) =>
        racer % 2 === 0
          ? posthorn.apiKeys.create({ name: "k" }, workspace.asOwner)
          : posthorn.workspaces.create({ name: "w" }, { as: workspace.owner }),
      );
      expect(done(outcomes.filter((_, racer) => racer % 2 === 0))).toBe(3);
      expect(done(outcomes.filter((_, racer) => racer % 2 === 1))).toBe(2);
      expect(await world.storage.workspaces.countOwnedBy(workspace.owner.userId)).toBe(3);
    });
  });

  test("count limits hold: mail servers and sending domains of a workspace, with one left for all who come at once", async () => {
    const limits = { maxSmtpServers: 2, maxDomains: 2 };
    const workspace = await withPlan(limits);
    const addServer = (name: string) =>
      posthorn.smtpServers.create({ name, host: "mail.example.com" }, workspace.asOwner);
    const addDomain = (name: string) =>
      posthorn.domains.create({ name: `${name}.example.com` }, workspace.asOwner);
    await Promise.all([addServer("first"), addDomain("first")]);
    for (const add of [addServer, addDomain]) {
      const outcomes = await race((racer) => add(`r${racer}`));
      expect(done(outcomes)).toBe(1);
      expect(outcomes).toContain("plan_limit_reached");
    }
    expect(await world.storage.smtpServers.count(workspace.id)).toBe(2);
    expect((await world.storage.domains.list(workspace.id, { offset: 0, limit: 0 })).total).toBe(2);
  });

  test("the sizes that a plan allows hold for all who come at once: of batches, and of files", async () => {
    const workspace = await withPlan({ maxBatchSize: 2, maxAttachmentSizeMb: 1, hourlyRateLimit: 3 });
    const host = { workspaceId: workspace.id };
    const said = { from: "a@shop.example", subject: "S", text: "T" };
    const people = (count: number) => Array.from({ length: count }, (_, n) => ({ to: `p${n}@example.com` }));
    const batches = await race((racer) =>
      posthorn.emails.sendBatch({ ...said, recipients: people(racer % 2 === 0 ? 3 : 2) }, host),
    );
    // Of an hour's three, one batch of two has room.
    expect(batches.filter((_, racer) => racer % 2 === 0).every((code) => code === "batch_too_large")).toBe(
      true,
    );
    expect(done(batches)).toBe(1);
    const content = Buffer.alloc(1024 * 1024 + 1);
    const file = (racer: number) => ({
      filename: "a.bin",
      content: racer % 2 === 0 ? content : content.subarray(1),
    });
    const sends = await race((racer) =>
      posthorn.emails.send({ ...said, to: ["a@example.com"], attachments: [file(racer)] }, host),
    );
    expect(sends.filter((_, racer) => racer % 2 === 0).every((code) => code === "attachment_too_large")).toBe(
      true,
    );
    expect(done(sends)).toBe(1);
  });

  test("names are given once: of templates, stylesheets, plans and pending invitations", async () => {
    await inRounds(async () => {
      const workspace = await world.addWorkspace();
      const name = `plan ${++count}`;
      const outcomes = await race((racer) => {
        if (racer % 4 === 0) return posthorn.templates.create({ name: "t", text: "x" }, workspace.asOwner);
        if (racer % 4 === 1) return posthorn.plans.create({ name });
        if (racer % 4 === 2) return posthorn.stylesheets.create({ name: "s", css: "p{}" }, workspace.asOwner);
        return posthorn.invitations.create({ email: "one@example.com", role: "viewer" }, workspace.asOwner);
      });
      for (const kind of [0, 1, 2, 3])
        expect(done(outcomes.filter((_, racer) => racer % 4 === kind))).toBe(1);
    });
  });
});
