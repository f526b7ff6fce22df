import { describe, expect, test } from "vitest";
import { day, eventsOf, openWorldForEach, workspace, world } from "../../test/world-for-each.ts";

openWorldForEach();

const suppressions = () => world.posthorn.workspace(workspace.id).suppressions;
const _emails = () => world.posthorn.workspace(workspace.id).emails;
const _mailTo = (...to: string[]) => ({ subject: "Hi", text: "x", to });

describe("the list", () => {
  test("an address is suppressed, found in any spelling, listed, and allowed again", async () => {
    const made = await world.posthorn.suppressions.create(
      { email: "Ada@Example.com", reason: "asked us" },
      workspace.asOwner,
    );
    expect(made).toMatchObject({
      email: "Ada@example.com",
      scope: "*",
      origin: "manual",
      reason: "asked us",
      createdBy: workspace.owner.userId,
      isNew: true,
    });
    expect(await suppressions().get({ email: "ADA@EXAMPLE.com" })).toMatchObject({ reason: "asked us" });
    expect((await suppressions().list({ q: "ADA" })).total).toBe(1);
    expect((await suppressions().list({ q: " " })).total).toBe((await suppressions().list()).total);
    await suppressions().delete({ email: "ada@example.com" });
    const missing = { code: "not_found" };
    await expect(suppressions().get({ email: "ada@example.com" })).rejects.toMatchObject(missing);
    await expect(suppressions().delete({ email: "ada@example.com" })).rejects.toMatchObject(missing);
    expect(await eventsOf("suppression.created")).toEqual([
      { email: "Ada@example.com", scope: "*", origin: "manual" },
    ]);
    expect(await eventsOf("suppression.deleted")).toHaveLength(1);
  });

  test.each(["ada@bücher.example", "Ada@BÜCHER.example", "@bücher.example", "ada@xn--bch"])(
    "an address of an international domain is found by %s",
    async (q) => {
      await suppressions().create({ email: "ada@bücher.example" });
      expect((await suppressions().list({ q })).total).toBe(1);
    },
  );

  test("an existing entry is returned unchanged, and no event is repeated", async () => {
    await suppressions().create({ email: "ada@example.com", reason: "first" });
    const again = await suppressions().create({ email: "ada@example.com", reason: "second" });
    expect(again).toMatchObject({ reason: "first", isNew: false });
    const soon = new Date(world.clock.now() + day).toISOString();
    await suppressions().create({ email: "bob@example.com", expiresAt: soon });
    expect(await suppressions().create({ email: "bob@example.com" })).toMatchObject({
      isNew: false,
      expiresAt: undefined,
    });
    expect(await eventsOf("suppression.created")).toHaveLength(2);
    expect(await eventsOf("suppression.updated")).toEqual([
      { email: "bob@example.com", scope: "*", changes: { expires_at: { from: soon, to: null } } },
    ]);
  });

  test("refuses invalid addresses and lists, and times in the past", async () => {
    const refused = async (input: Parameters<ReturnType<typeof suppressions>["create"]>[0]) =>
      expect(suppressions().create(input)).rejects.toMatchObject({ code: "validation_failed" });
    await refused({ email: "ada" });
    await refused({ email: "ada@example.com", scope: "News!" });
    await refused({ email: "ada@example.com", reason: "x".repeat(501) });
    await refused({ email: "ada@example.com", expiresAt: new Date(world.clock.now()).toISOString() });
  });

  test("viewers read, editors write, and only a manager allows an address again that complained", async () => {
    const viewer = workspace.as(await workspace.addMember("viewer"));
    const editor = workspace.as(await workspace.addMember("editor"));
    const { posthorn, storage, clock } = world;
    await expect(posthorn.suppressions.create({ email: "a@b.example" }, viewer)).rejects.toMatchObject({
      code: "forbidden",
    });
    await posthorn.suppressions.create({ email: "a@b.example" }, editor);
    expect((await posthorn.suppressions.list({}, viewer)).total).toBe(1);
    const complaint = {
      workspaceId: workspace.id,
      scope: "*",
      addressKey: "c@b.example",
      address: "c@b.example",
      origin: "complaint",
      reason: "",
      emailId: undefined,
      createdBy: undefined,
      createdAt: clock.now(),
      expiresAt: undefined,
    } as const;
    await storage.suppressions.put([complaint], clock.now());
    await posthorn.suppressions.delete({ email: "a@b.example" }, editor);
    await expect(posthorn.suppressions.delete({ email: "c@b.example" }, editor)).rejects.toMatchObject({
      code: "suppression_protected",
    });
    const admin = workspace.as(await workspace.addMember("admin"));
    await posthorn.suppressions.delete({ email: "c@b.example" }, admin);
  });

  test("a webhook is notified of new entries only", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["suppression.created"] },
      workspace.asOwner,
    );
    await suppressions().create({ email: "ada@example.com", scope: "news", reason: "asked us" });
    await suppressions().create({ email: "ada@example.com", scope: "news" });
    await world.posthorn.drain();
    expect(world.http.posts.map(({ body }) => JSON.parse(String(body)))).toEqual([
      {
        event: "suppression.created",
        timestamp: new Date(world.clock.now()).toISOString(),
        data: {
          email: "ada@example.com",
          scope: "news",
          origin: "manual",
          reason: "asked us",
          email_id: null,
          expires_at: null,
        },
      },
    ]);
  });

  test("a check returns for each address what a send would find", async () => {
    await suppressions().create({ email: "ada@example.com" });
    await suppressions().create({ email: "@gone.example", scope: "news" });
    const asked = ["Ada@example.com", "bob@gone.example", "eve@example.com"];
    const check = async (scope?: string) =>
      (await suppressions().check({ emails: asked, ...(scope === undefined ? {} : { scope }) })).map(
        ({ suppressed }) => suppressed,
      );
    expect(await check()).toEqual([true, false, false]);
    expect(await check("news")).toEqual([true, true, false]);
    expect(await check("other")).toEqual([true, false, false]);
  });

  test("of several entries an address's own comes before its domain's, and one for all mail before a list's", async () => {
    const create = async (email: string, scope?: string) => {
      world.clock.advance(day);
      return (await suppressions().create({ email, ...(scope === undefined ? {} : { scope }) })).createdAt;
    };
    const check = async (email: string) =>
      (await suppressions().check({ emails: [email], scope: "news" }))[0]?.since;
    for (const email of ["ada@one.example", "zoe@one.example", "ada@two.example", "zoe@two.example"]) {
      const domain = `@${email.split("@")[1]}`;
      const names = email.startsWith("ada") ? [email, domain] : [domain, email];
      for (const name of names) await create(name);
      expect(await check(email)).toBe((await suppressions().get({ email })).createdAt);
    }
    await create("eve@three.example", "news");
    const later = await create("eve@three.example");
    expect(await check("eve@three.example")).toBe(later);
    const all = await create("kim@four.example");
    await create("kim@four.example", "news");
    expect(await check("kim@four.example")).toBe(all);
  });
});
