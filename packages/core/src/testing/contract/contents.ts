import { describe, expect, test } from "vitest";
import type { Storage } from "../../ports/storage.ts";
import { race, usePeopleWorld } from "./people-world.ts";
import { NOW, nextId } from "./sending-world.ts";

/** The contract of contents, which are stored once but by concurrent callers, and of stylesheets. */
export const describeContents = (open: () => Promise<Storage>): void => {
  describe("contents", () => {
    const world = usePeopleWorld(open);

    test("equal contents are stored once, but perhaps by callers who are the first together; others separately", async () => {
      const { contents } = world().storage;
      const content = { subject: "s", html: "ab", text: "c" };
      const ids = [...new Set(await race(() => contents.put(content)))].sort((a, b) => a - b);
      const [id = 0] = ids;
      const hash = (await contents.find(id))?.hash ?? "";
      for (const each of ids) expect(await contents.find(each)).toEqual({ id: each, hash, ...content });
      expect(await race(() => contents.put(content), 3)).toEqual([id, id, id]);
      const putOther = () => contents.put({ subject: "s", html: "a", text: "bc" });
      const other = await putOther();
      expect(other).not.toBe(id);
      expect([await putOther(), await contents.put(content)]).toEqual([other, id]);
      expect(await contents.find(id + 100)).toBeUndefined();
      const found = await contents.findMany([other, id + 100, id]);
      expect(new Map(found.map((each) => [each.id, each.text]))).toEqual(
        new Map([
          [id, "c"],
          [other, "bc"],
        ]),
      );
      expect(await contents.findMany([])).toEqual([]);
    });

    test("equal stylesheet sets are stored once, but perhaps by callers who are the first together", async () => {
      const { contents } = world().storage;
      const ids = [...new Set(await race(() => contents.putStylesheetSet("p{}"), 5))].sort((a, b) => a - b);
      const [id = 0] = ids;
      const sets = await Promise.all(ids.map(contents.findStylesheetSet));
      expect(sets).toEqual(ids.map(() => ({ hash: sets[0]?.hash, css: "p{}" })));
      expect(await contents.putStylesheetSet("p{}")).toBe(id);
      expect(await contents.findStylesheetSet(id + 100)).toBeUndefined();
      const other = await contents.putStylesheetSet("b{}");
      const again = [await contents.putStylesheetSet("b{}"), await contents.putStylesheetSet("p{}")];
      expect(again).toEqual([other, id]);
    });

    test("unreferenced contents are deleted, a bounded number at a time", async () => {
      const { storage } = world();
      const { contents, workspaces, templates } = storage;
      const { id: workspaceId } = await workspaces.insert({ name: "Acme", createdAt: NOW });
      const put = (subject: string) => contents.put({ subject, html: "", text: "t" });
      const [kept, used] = [await put("kept"), await put("used")];
      const version = (contentId: number) => ({
        id: nextId(),
        note: "",
        sampleData: {},
        contentId,
        createdAt: NOW,
      });
      const template = { id: nextId(), workspaceId, description: "", defaultLanguage: "en", createdAt: NOW };
      await templates.insert({ ...template, name: "t" }, version(kept));
      const others = [version(used), version(await put("a")), version(await put("b"))];
      for (const other of others) await templates.insertVersion(workspaceId, template.id, other);
      await templates.insert({ ...template, name: "u", id: nextId() }, version(used));
      for (const { id } of others) await templates.deleteVersion(workspaceId, template.id, id);
      expect(await contents.deleteUnused(2)).toBe(2);
      expect(await contents.deleteUnused(2)).toBe(1);
      expect(await contents.deleteUnused(2)).toBe(0);
      const there = await Promise.all(
        [kept, used, ...others.slice(1).map(({ contentId }) => contentId)].map(contents.find),
      );
      expect(there.map((content) => content !== undefined)).toEqual([true, true, false, false]);
    });

    test("an id is never reused, even if its content is deleted", async () => {
      const { storage } = world();
      const { contents, workspaces } = storage;
      const { id: workspaceId } = await workspaces.insert({ name: "Acme", createdAt: NOW });
      const set = await contents.putStylesheetSet("a{}");
      await workspaces.update(workspaceId, { stylesheetSetId: set, updatedAt: NOW });
      await workspaces.update(workspaceId, { stylesheetSetId: undefined, updatedAt: NOW });
      const contentId = await contents.put({ subject: "a", html: "", text: "" });
      const templateId = nextId();
      await storage.templates.insert(
        { id: templateId, workspaceId, name: "t", description: "", defaultLanguage: "en", createdAt: NOW },
        { id: nextId(), note: "", sampleData: {}, contentId, createdAt: NOW },
      );
      await storage.templates.delete(workspaceId, templateId);
      expect(await contents.deleteUnused(9)).toBe(2);
      expect(await contents.findStylesheetSet(set)).toBeUndefined();
      expect(await contents.find(contentId)).toBeUndefined();
      expect(await contents.put({ subject: "b", html: "", text: "" })).toBeGreaterThan(contentId);
      expect(await contents.putStylesheetSet("b{}")).toBeGreaterThan(set);
    });
  });

  describe("stylesheets", () => {
    const world = usePeopleWorld(open);

    test("a stylesheet is stored in its workspace, and only the given fields change", async () => {
      const { stylesheets, workspaces } = world().storage;
      const { id: workspaceId } = await workspaces.insert({ name: "Acme", createdAt: NOW });
      const base = await stylesheets.insert({
        id: nextId(),
        workspaceId,
        name: "base",
        css: "p{}",
        createdAt: NOW,
      });
      expect(await stylesheets.find(workspaceId, base.id)).toEqual(base);
      expect(await stylesheets.find(workspaceId + 1, base.id)).toBeUndefined();
      const change = { css: "a{}", updatedAt: NOW + 1 };
      expect(await stylesheets.update(workspaceId + 1, base.id, change)).toBeUndefined();
      expect(await stylesheets.find(workspaceId, base.id)).toEqual(base);
      const changed = await stylesheets.update(workspaceId, base.id, change);
      expect(changed).toEqual({ ...base, css: "a{}", updatedAt: NOW + 1 });
      await expect(stylesheets.insert({ ...base, id: nextId() })).rejects.toMatchObject({
        constraint: "stylesheets.name",
      });
      expect(await stylesheets.delete(workspaceId + 1, base.id)).toBeUndefined();
      expect(await stylesheets.delete(workspaceId, base.id)).toEqual(changed);
      expect(await stylesheets.delete(workspaceId, base.id)).toBeUndefined();
    });

    test("pages are newest first, and the complete list is by code point", async () => {
      const { stylesheets, workspaces } = world().storage;
      const { id: workspaceId } = await workspaces.insert({ name: "Acme", createdAt: NOW });
      // U+FF21 sorts before U+1F600 by code point, and after it by UTF-16 unit.
      for (const name of ["b", "\u{1F600}", "B", "\u{FF21}", "a"]) {
        await stylesheets.insert({ id: nextId(), workspaceId, name, css: "", createdAt: NOW });
      }
      const names = (all: { name: string }[]) => all.map(({ name }) => name);
      expect(names(await stylesheets.listAll(workspaceId))).toEqual(["B", "a", "b", "\u{FF21}", "\u{1F600}"]);
      const page = await stylesheets.list(workspaceId, { offset: 1, limit: 2 });
      expect(names(page.items)).toEqual(["\u{FF21}", "B"]);
      expect(page.total).toBe(5);
    });
  });
};
