import { expect, test } from "vitest";
import { describeRaces, done, racers } from "./races.ts";

describeRaces("invariants", (races) => {
  const { race, inRounds, makePlan } = races;
  let count = 0;

  test("a workspace has exactly one owner during concurrent transfers, demotions, removals and departures", async () => {
    const workspace = await races.world.addWorkspace();
    const people = [workspace.owner];
    for (let at = 0; at < 3; at += 1) people.push(await workspace.addMember("admin"));
    await inRounds(async () => {
      await race((racer) => {
        const [actor, target] = [people[racer % 4], people[(racer + 1 + (racer >> 2)) % 4]];
        if (actor === undefined || target === undefined) throw new TypeError("nobody");
        const as = workspace.as(actor);
        if (racer % 3 === 0) return races.posthorn.members.remove({ memberId: target.userId }, as);
        if (racer % 3 === 1)
          return races.posthorn.members.setRole({ memberId: target.userId, role: "admin" }, as);
        return races.posthorn.workspaces.transferOwnership({ userId: target.userId }, as);
      });
      const members = await races.world.storage.members.list(workspace.id, 0, 99);
      expect(members.filter(({ role }) => role === "owner")).toHaveLength(1);
      for (const { userId } of people)
        if (!members.some((member) => member.userId === userId))
          await races.world.storage.members.insert({
            workspaceId: workspace.id,
            userId,
            role: "admin",
            createdAt: 0,
          });
    });
  });

  test("a user removed during their own requests changes nothing afterwards", async () => {
    await inRounds(async () => {
      const workspace = await races.world.addWorkspace();
      const admin = await workspace.addMember("admin");
      const removal = Promise.withResolvers<void>();
      const outcomes = await race(async (racer) => {
        if (racer === 0) {
          await races.posthorn.members.remove({ memberId: admin.userId }, workspace.asOwner);
          removal.resolve();
          return;
        }
        // The first half runs during the removal, the second begins after it.
        if (racer >= racers / 2) await removal.promise;
        await races.posthorn.stylesheets.create({ name: `s${racer}`, css: "p{}" }, workspace.as(admin));
      });
      for (const code of outcomes) expect(["done", "not_a_member", "unavailable"]).toContain(code);
      expect(outcomes.slice(racers / 2)).not.toContain("done");
      await expect(
        races.posthorn.stylesheets.create({ name: "late", css: "p{}" }, workspace.as(admin)),
      ).rejects.toMatchObject({ code: "not_a_member" });
    });
  });

  test("an invitation is accepted once, and never both cancelled and accepted", async () => {
    const workspace = await races.world.addWorkspace();
    await inRounds(async () => {
      const guest = await races.world.addUser();
      const { id } = await races.posthorn.invitations.create(
        { email: guest.email, role: "viewer" },
        workspace.asOwner,
      );
      const outcomes = await race((racer) =>
        racer === 25
          ? races.posthorn.invitations.cancel({ id }, workspace.asOwner)
          : races.posthorn.invitations.acceptById({ id }, { as: guest }),
      );
      const [cancelled] = outcomes.splice(25, 1);
      const isMember = (await races.world.storage.members.roleOf(workspace.id, guest.userId)) !== undefined;
      expect(done(outcomes)).toBe(isMember ? 1 : 0);
      // Unless the guest became a member, the cancellation must have succeeded.
      expect(isMember || cancelled === "done").toBe(true);
      for (const code of outcomes) expect(["done", "invitation_not_pending", "not_found"]).toContain(code);
    });
  });

  test("a user and a workspace with an external id are created once, by concurrent calls", async () => {
    await inRounds(async () => {
      const externalId = `host ${++count}`;
      const ids = new Set<string>();
      const outcomes = await race(async () => {
        const { id: userId } = await races.posthorn.users.ensure({
          externalId,
          name: "Ada",
          email: `${count}@host.example`,
        });
        const { id } = await races.posthorn.workspaces.ensure({ externalId, name: externalId, userId });
        ids.add(`${userId} ${id}`);
      });
      expect(done(outcomes)).toBe(racers);
      expect(ids.size).toBe(1);
      const found = await races.world.storage.workspaces.findByExternalId(externalId);
      expect(await races.world.storage.members.list(found?.id ?? 0, 0, 99)).toHaveLength(1);
    });
  });

  test("a plan is deleted or assigned, never both", async () => {
    const workspace = await races.world.addWorkspace();
    await inRounds(async () => {
      const plan = await makePlan();
      await race((racer) => {
        if (racer % 5 === 0) return races.posthorn.plans.delete({ planId: plan.id, force: racer % 10 === 0 });
        if (racer % 5 === 1)
          return races.posthorn.plans.assignToUser({ userId: workspace.owner.userId, planId: plan.id });
        return races.posthorn.plans.assignToWorkspace({ workspaceId: workspace.id, planId: plan.id });
      });
      const stands = await races.world.storage.plans.find(plan.id);
      const held = [
        (await races.world.storage.workspaces.find(workspace.id))?.planId,
        (await races.world.storage.users.find(workspace.owner.userId))?.planId,
      ];
      if (stands === undefined) expect(held).not.toContain(plan.id);
    });
  });

  test("there is one default plan, during concurrent changes", async () => {
    const plans = [await makePlan({ isDefault: true }), await makePlan(), await makePlan(), await makePlan()];
    await inRounds(async () => {
      await race((racer) => {
        const planId = plans[racer % 4]?.id ?? 0;
        if (racer % 5 === 0) return makePlan({ isDefault: true });
        if (racer % 5 === 1) return races.posthorn.plans.update({ planId, isDefault: true });
        if (racer % 5 === 2) return races.posthorn.plans.update({ planId, isActive: racer % 2 === 0 });
        return races.posthorn.plans.setDefault({ planId });
      });
      const defaults = (await races.posthorn.plans.list({})).items.filter(({ isDefault }) => isDefault);
      expect(defaults).toHaveLength(1);
      expect(defaults[0]?.isActive).toBe(true);
    });
  });

  test("a template has one existing active version; numbers are never reused", async () => {
    const workspace = await races.world.addWorkspace();
    await inRounds(async () => {
      const template = await races.posthorn.templates.create(
        { name: `t${++count}`, text: "1" },
        workspace.asOwner,
      );
      const templateId = template.id;
      const made = await Promise.all(
        Array.from({ length: racers }, (_, at) =>
          races.posthorn.templateVersions.create({ templateId, text: `${at}` }, workspace.asOwner),
        ),
      );
      const numbers = made.map(({ versionNumber }) => versionNumber).toSorted((a, b) => a - b);
      expect(numbers).toEqual(Array.from({ length: racers }, (_, at) => at + 2));
      await race((racer) => {
        const versionId = made[racer % 6]?.id ?? "";
        return racer % 2 === 0
          ? races.posthorn.templateVersions.activate({ templateId, versionId }, workspace.asOwner)
          : races.posthorn.templateVersions.delete({ templateId, versionId }, workspace.asOwner);
      });
      const { items: versions } = await races.posthorn.templateVersions.list(
        { templateId },
        workspace.asOwner,
      );
      const active = versions.filter(({ isActive }) => isActive).map(({ id }) => id);
      expect(active).toEqual([
        (await races.posthorn.templates.get({ templateId }, workspace.asOwner)).activeVersionId,
      ]);
    });
  });

  test("names are unique: of templates, stylesheets, plans and pending invitations", async () => {
    await inRounds(async () => {
      const workspace = await races.world.addWorkspace();
      const name = `plan ${++count}`;
      const outcomes = await race((racer) => {
        if (racer % 4 === 0)
          return races.posthorn.templates.create({ name: "t", text: "x" }, workspace.asOwner);
        if (racer % 4 === 1) return races.posthorn.plans.create({ name });
        if (racer % 4 === 2)
          return races.posthorn.stylesheets.create({ name: "s", css: "p{}" }, workspace.asOwner);
        return races.posthorn.invitations.create(
          { email: "one@example.com", role: "viewer" },
          workspace.asOwner,
        );
      });
      for (const kind of [0, 1, 2, 3])
        expect(done(outcomes.filter((_, racer) => racer % 4 === kind))).toBe(1);
    });
  });
});
