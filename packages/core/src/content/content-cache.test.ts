import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { silentLogger } from "../ports/logger.ts";
import type { Storage } from "../ports/storage.ts";
import { type ContentCache, createContentCache, type StoredText } from "./content-cache.ts";
import type { Inlining } from "./inlining.ts";
import { joinParts, type TextParts } from "./rendering/text-parts.ts";

let storage: Storage;
let contentCache: ContentCache;
let reads: number;
let inlined: number;
/** The result that inlining gives. */
let outcome: Awaited<ReturnType<Inlining["inline"]>> | undefined;
/** The result that the conversion to text gives. */
let text: string | undefined;
beforeEach(async () => {
  storage = await openTestSqlite();
  await storage.migrate();
  reads = 0;
  inlined = 0;
  outcome = undefined;
  text = undefined;
  const contents: Storage["contents"] = {
    ...storage.contents,
    find(id) {
      reads += 1;
      return storage.contents.find(id);
    },
  };
  const inlining: Inlining = {
    async inline({ html, css }) {
      inlined += 1;
      return outcome ?? { ok: true, html: `<style>${css}</style>${html}` };
    },
    toText: async (html) => ({ ok: true, text: text ?? `text of ${html}` }),
    checkStylesheet: async () => ({ ok: true }),
    close: async () => {},
  };
  contentCache = createContentCache({ contents }, inlining, silentLogger);
});
afterEach(() => storage.close());

/** Returns a stored text with a made-up digest, a different one for each id. */
const stored = (id: number): StoredText => ({ id, hash: `digest of ${id}` });
const put = async (html: string, text = "") =>
  stored(await storage.contents.put({ subject: "Hi {{name}}", html, text }));
const putSet = async (css: string) => stored(await storage.contents.putStylesheetSet(css));
const data = { name: "<Ada>" };
const none: TextParts = { literals: [], parts: [] };

describe("compositions", () => {
  test("are made once for concurrent and later callers", async () => {
    const id = await put("<p>{{name}}</p>");
    const set = await putSet("p{}");
    const made = await Promise.all(Array.from({ length: 20 }, () => contentCache.finished(id, set, 1)));
    await contentCache.finished(id, set, 1);
    expect([reads, inlined]).toEqual([1, 1]);
    expect(made[19]?.render(data)).toEqual({
      subject: "Hi <Ada>",
      html: "<style>p{}</style><p>&lt;Ada&gt;</p>",
      text: "text of <style>p{}</style><p><Ada></p>",
      missing: [],
      missingInBody: [],
    });
  });

  test("differ by stylesheet set, and a draft is not inlined", async () => {
    const id = await put("<p>{{name}}</p>", "own text");
    const sets = await Promise.all(["a{}", "b{}"].map(putSet));
    const htmls = [];
    for (const set of [...sets, undefined])
      htmls.push(
        (await contentCache.finished(id, set, 1))?.render(data).html.match(/<style>(.*)<\/style>/)?.[1],
      );
    expect(htmls).toEqual(["a{}", "b{}", ""]);
    expect((await contentCache.draft(id))?.render(data)).toMatchObject({
      html: "<p>&lt;Ada&gt;</p>",
      text: "own text",
    });
    expect((await contentCache.finished(id, undefined, 1))?.render(data).text).toBe("own text");
  });

  test("are left without inlining if it fails", async () => {
    outcome = { ok: false, reason: "timeout", message: "too slow", retryAfterMs: undefined };
    const id = await put("<p>{{name}}</p>");
    expect((await contentCache.finished(id, undefined, 1))?.render(data).html).toBe("<p>&lt;Ada&gt;</p>");
  });

  test("are not cached if inlining failed for a temporary reason", async () => {
    outcome = { ok: false, reason: "busy", message: "too much waits", retryAfterMs: 5_000 };
    const id = await put("<p>{{name}}</p>");
    expect((await contentCache.finished(id, undefined, 1))?.provisional).toMatchObject({ reason: "busy" });
    outcome = undefined;
    const made = await contentCache.finished(id, undefined, 1);
    expect(made?.provisional).toBeUndefined();
    expect(made?.render(data).html).toBe("<style></style><p>&lt;Ada&gt;</p>");
    await contentCache.finished(id, undefined, 1);
    expect(inlined).toBe(2);
  });

  test("may be longer by their styles than templates may be, up to 2 MiB", async () => {
    const long = "x".repeat(2 * 1024 * 1024 - 100);
    outcome = { ok: true, html: `<p style="">{{name}}</p>${long}` };
    const made = (await contentCache.finished(await put("<p>{{name}}</p>"), undefined, 1))?.render(data);
    expect(made).toMatchObject({ html: `<p style="">&lt;Ada&gt;</p>${long}`, text: "text of <p><Ada></p>" });
  });

  test.each(["finished", "tracked"] as const)(
    "%s have no styles where only these exceed a limit",
    async (kind) => {
      const [begin, end] = ["<p>{{#rows}}", "{{/rows}}</p>"];
      outcome = { ok: true, html: `${begin}<b style="${"a".repeat(300)}">{{.}}</b>${end}` };
      const made = await contentCache[kind](await put(`${begin}<b>{{.}}</b>${end}`), undefined, 1);
      const rows = Array.from({ length: 10_000 }, () => 1);
      const rewrite = { replace: () => undefined, ending: "" };
      const [few, all] = [["1"], rows].map((rows) => made?.renderBody({ rows }, rewrite).html);
      expect(joinParts(few ?? none)).toContain("aaa");
      expect(joinParts(all ?? none)).toBe(`<p>${rows.map((row) => `<b>${row}</b>`).join("")}</p>`);
      expect(made?.render({ rows }).html).not.toContain("aaa");
    },
  );

  test("have no text part where only the one made from the html exceeds a limit", async () => {
    outcome = { ok: true, html: `<p style=''>{{#rows}}${"{{a.b.c.d.e.f.g.h}}".repeat(3)}{{/rows}}</p>` };
    text = outcome.html;
    const made = await contentCache.finished(await put("<p>{{#rows}}{{/rows}}</p>"), undefined, 1);
    const rows = Array.from({ length: 10_000 }, () => ({}));
    expect(made?.render({ rows })).toMatchObject({ html: "<p style=''></p>", text: "" });
  });

  test("have no text part if the one made from the html is no valid template", async () => {
    outcome = { ok: true, html: "<p {{#name}}a{{/name}}>inlined</p>" };
    text = "{{#name}}a";
    const id = await put("<p {{#name}}a{{/name}}></p>");
    const made = (await contentCache.finished(id, undefined, 1))?.render(data);
    expect(made).toMatchObject({ html: "<p a>inlined</p>", text: "" });
  });

  test("list separately which values only the subject lacks", async () => {
    const id = await put("<p>{{other}}</p>");
    expect((await contentCache.draft(id))?.render({})).toMatchObject({
      missing: ["name", "other"],
      missingInBody: ["other"],
    });
  });

  test("of missing or unreadable contents are not cached", async () => {
    expect(await contentCache.draft(stored(7))).toBeUndefined();
    await contentCache.draft(stored(7));
    expect(reads).toBe(2);
    const broken = stored(await storage.contents.put({ subject: "{{#open}}", html: "", text: "x" }));
    await expect(contentCache.draft(broken)).rejects.toThrow();
    await expect(contentCache.draft(broken)).rejects.toThrow();
    expect(reads).toBe(4);
  });

  test("are identified by their hash, not by an id that may be reused", async () => {
    const { id } = await put("<p>first</p>");
    expect((await contentCache.draft({ id, hash: "first" }))?.render(data).html).toBe("<p>first</p>");
    const other = await put("<p>second</p>");
    expect((await contentCache.draft({ ...other, hash: "second" }))?.render(data).html).toBe("<p>second</p>");
    expect((await contentCache.draft({ id: other.id, hash: "first" }))?.render(data).html).toBe(
      "<p>first</p>",
    );
  });

  test("are evicted when the cache is full, the least recently used first", async () => {
    const ids: StoredText[] = [];
    for (let n = 0; n < 80; n++) ids.push(await put(`${n}`.padEnd(500 * 1024, "x")));
    const [first = stored(0), second = stored(0)] = ids;
    for (const id of ids) {
      await contentCache.draft(id);
      await contentCache.draft(first);
    }
    expect(reads).toBe(80);
    await contentCache.draft(first);
    expect(reads).toBe(80);
    await contentCache.draft(second);
    expect(reads).toBe(81);
  });

  test("take more of the cache than their texts, if they have many tags", async () => {
    const first = await put("0".padEnd(2_000, "x"));
    await contentCache.finished(first, undefined, 1);
    for (let n = 0; n < 50; n++)
      await contentCache.finished(await put(`${n}${"{{a}}".repeat(2_000)}`), undefined, 1);
    reads = 0;
    await contentCache.finished(first, undefined, 1);
    expect(reads).toBe(1);
  });
});
