import { describe, expect, test } from "vitest";
import type { NewTemplateVersion, Storage } from "../../ports/storage.ts";
import { race, usePeopleWorld } from "./people-world.ts";
import { NOW, nextId } from "./sending-world.ts";

const all = { offset: 0, limit: 100 };

/** The contract of templates and versions: one is active, and numbers have no gaps or duplicates. */
export const describeTemplates = (open: () => Promise<Storage>): void => {
  describe("templates", () => {
    const world = usePeopleWorld(open);

    const build = async () => {
      const { storage } = world();
      const { id: workspaceId } = await storage.workspaces.insert({ name: "Acme", createdAt: NOW });
      const content = { subject: "Hello", html: "<p>{{name}}</p>", text: "" };
      const contentId = await storage.contents.put(content);
      const version = (over: Partial<NewTemplateVersion> = {}): NewTemplateVersion => ({
        id: nextId(),
        note: "",
        sampleData: { name: "Ann" },
        contentId,
        createdAt: NOW,
        ...over,
      });
      const add = (name: string, first = version(), workspace = workspaceId) =>
        storage.templates.insert(
          {
            id: nextId(),
            workspaceId: workspace,
            name,
            description: "d",
            defaultLanguage: "en",
            createdAt: NOW,
          },
          first,
        );
      return { storage, templates: storage.templates, workspaceId, content, contentId, version, add };
    };

    test("a template is created with its first version, active and numbered 1", async () => {
      const { storage, templates, workspaceId, content, contentId, version, add } = await build();
      const first = version({ note: "first" });
      const welcome = await add("welcome", first);
      expect(welcome).toMatchObject({ name: "welcome", activeVersionId: first.id, updatedAt: NOW });
      expect(await templates.find(workspaceId, welcome.id)).toEqual(welcome);
      expect(await templates.find(workspaceId + 1, welcome.id)).toBeUndefined();
      expect(await templates.findVersion(workspaceId, welcome.id, first.id)).toEqual({
        id: first.id,
        templateId: welcome.id,
        versionNumber: 1,
        note: "first",
        sampleData: { name: "Ann" },
        contentId,
        contentHash: (await storage.contents.find(contentId))?.hash,
        content,
        isActive: true,
        createdAt: NOW,
        updatedAt: NOW,
      });
      expect(await templates.findVersion(workspaceId + 1, welcome.id, first.id)).toBeUndefined();
    });

    test("a name is unique in a workspace, in which another changes nothing", async () => {
      const { storage, templates, workspaceId, add, version } = await build();
      await add("welcome");
      const bye = await add("bye");
      const taken = { name: "UniqueViolation", constraint: "templates.name" };
      await expect(add("welcome")).rejects.toMatchObject(taken);
      await expect(
        templates.update(workspaceId, bye.id, { name: "welcome", updatedAt: NOW }),
      ).rejects.toMatchObject(taken);
      const other = await storage.workspaces.insert({ name: "Other", createdAt: NOW });
      await expect(add("welcome", version(), other.id)).resolves.toMatchObject({ name: "welcome" });
      const { id } = bye;
      expect(await templates.insertVersion(other.id, id, version())).toBeUndefined();
      expect(await templates.update(other.id, id, { name: "ours", updatedAt: NOW })).toBeUndefined();
      expect(await templates.find(workspaceId, id)).toEqual(bye);
      expect((await templates.listVersions(workspaceId, id, { offset: 0, limit: 9 })).total).toBe(1);
    });

    test("templates are listed newest first, changed in the given fields only, and deleted", async () => {
      const { templates, workspaceId, add } = await build();
      const [a, b] = [await add("a"), await add("b")];
      expect(await templates.list(workspaceId, { offset: 0, limit: 1 })).toMatchObject({
        items: [b],
        total: 2,
      });
      const changed = await templates.update(workspaceId, a.id, { description: "new", updatedAt: NOW + 1 });
      expect(changed).toEqual({ ...a, description: "new", updatedAt: NOW + 1 });
      expect(await templates.update(workspaceId + 1, a.id, { name: "x", updatedAt: NOW })).toBeUndefined();
      expect(await templates.delete(workspaceId + 1, a.id)).toBe(false);
      expect(await templates.delete(workspaceId, a.id)).toBe(true);
      expect(await templates.list(workspaceId, { offset: 0, limit: 9 })).toMatchObject({
        items: [b],
        total: 1,
      });
    });

    test("50 versions created at once are numbered 2 to 51, and none becomes active", async () => {
      const { templates, workspaceId, version, add } = await build();
      const welcome = await add("welcome");
      const made = await race(() => templates.insertVersion(workspaceId, welcome.id, version()));
      expect(made.map((one) => one?.versionNumber ?? 0).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 50 }, (_, index) => index + 2),
      );
      const { items: listed } = await templates.listVersions(workspaceId, welcome.id, all);
      expect(listed.map(({ versionNumber }) => versionNumber)).toEqual(
        Array.from({ length: 51 }, (_, index) => 51 - index),
      );
      expect(listed.filter(({ isActive }) => isActive).map(({ id }) => id)).toEqual([
        welcome.activeVersionId,
      ]);
      const { isActive, id, subject, note, createdAt, updatedAt, ...rest } = listed[0] ?? {};
      expect([subject, rest]).toEqual(["Hello", { versionNumber: 51 }]);
      expect(await templates.insertVersion(workspaceId + 1, welcome.id, version())).toBeUndefined();
    });

    test("a deleted version's number isn't reused", async () => {
      const { templates, workspaceId, version, add } = await build();
      const welcome = await add("welcome");
      const second = await templates.insertVersion(workspaceId, welcome.id, version());
      await templates.deleteVersion(workspaceId, welcome.id, second?.id ?? "");
      const third = await templates.insertVersion(workspaceId, welcome.id, version());
      expect(third?.versionNumber).toBe(3);
    });

    test("only the given fields of a version change", async () => {
      const { storage, templates, workspaceId, version, add } = await build();
      const welcome = await add("welcome");
      const content = { subject: "Bye", html: "", text: "bye" };
      const contentId = await storage.contents.put(content);
      const second = await templates.insertVersion(workspaceId, welcome.id, version());
      const changes = { contentId, sampleData: { name: null }, updatedAt: NOW + 1 };
      const id = second?.id ?? "";
      const changed = await templates.updateVersion(workspaceId, welcome.id, id, changes);
      expect(changed).toEqual({
        ...second,
        ...changes,
        contentHash: (await storage.contents.find(contentId))?.hash,
        content,
      });
      expect(await templates.updateVersion(workspaceId + 1, welcome.id, id, changes)).toBeUndefined();
    });

    test("while versions are activated and deleted at once, the active one always exists", async () => {
      const { templates, workspaceId, version, add } = await build();
      const welcome = await add("welcome");
      const ids: string[] = [];
      for (let index = 0; index < 25; index += 1) {
        ids.push((await templates.insertVersion(workspaceId, welcome.id, version()))?.id ?? "");
      }
      await race(async (index) => {
        const id = ids[index % 25] ?? "";
        if (index < 25) await templates.activateVersion(workspaceId, welcome.id, id, NOW);
        else await templates.deleteVersion(workspaceId, welcome.id, id);
      });
      const found = await templates.find(workspaceId, welcome.id);
      const { items: left } = await templates.listVersions(workspaceId, welcome.id, all);
      const active = left.filter((v) => v.isActive);
      expect(active.map(({ id }) => id)).toEqual([found?.activeVersionId]);
    });

    test("activating changes the one active version, and the active one can't be deleted", async () => {
      const { templates, workspaceId, version, add } = await build();
      const [welcome, bye] = [await add("welcome"), await add("bye")];
      const second = (await templates.insertVersion(workspaceId, welcome.id, version()))?.id ?? "";
      const activate = (templateId: string, workspace = workspaceId) =>
        templates.activateVersion(workspace, templateId, second, NOW + 1);
      expect(await activate(bye.id)).toBeUndefined();
      expect(await activate(welcome.id, workspaceId + 1)).toBeUndefined();
      expect(await activate(welcome.id)).toEqual({
        ...welcome,
        activeVersionId: second,
        updatedAt: NOW + 1,
      });
      const remove = (id: string) => templates.deleteVersion(workspaceId, welcome.id, id);
      expect(await remove(second)).toBe("active");
      expect(await remove(welcome.activeVersionId)).toBe("deleted");
      expect(await remove(welcome.activeVersionId)).toBe("missing");
      expect(await templates.deleteVersion(workspaceId, bye.id, second)).toBe("missing");
    });

    test("active versions are found by name, each in its own workspace", async () => {
      const { storage, templates, workspaceId, contentId, version, add } = await build();
      const other = (await storage.workspaces.insert({ name: "Other", createdAt: NOW })).id;
      const [a, b] = [await add("a"), await add("b", version(), other)];
      await add("b");
      await add("a", version(), other);
      const found = await templates.findActive([
        { workspaceId, name: "a" },
        { workspaceId: other, name: "b" },
        { workspaceId, name: "unknown" },
      ]);
      const hash = (await storage.contents.find(contentId))?.hash;
      const sendable = (template: typeof a) => ({
        workspaceId: template.workspaceId,
        templateId: template.id,
        templateName: template.name,
        versionId: template.activeVersionId,
        contentId,
        contentHash: hash,
      });
      expect(found).toHaveLength(2);
      expect(found).toEqual(expect.arrayContaining([sendable(a), sendable(b)]));
      expect(await templates.findActive([])).toEqual([]);
    });
  });
};
