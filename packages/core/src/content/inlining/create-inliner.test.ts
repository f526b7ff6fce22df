import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { silentLogger } from "../../ports/logger.ts";
import { createInliner, type InlinerOptions } from "./create-inliner.ts";

/** Creates an inliner with a single workspace as its user. */
function openForOne(options?: InlinerOptions) {
  const { inline, checkStylesheet, toText, close } = createInliner(options);
  return {
    inline: (source: { html: string; css: string }) => inline(source, 1),
    checkStylesheet: (css: string) => checkStylesheet(css, 1),
    toText: (html: string) => toText(html, 1),
    close,
  };
}

const inliner = openForOne();
afterAll(() => inliner.close());

function htmlOf(result: Awaited<ReturnType<typeof inliner.inline>>): string {
  if (!result.ok) throw new Error(result.message);
  return result.html;
}

const inline = async (html: string, css = "") => htmlOf(await inliner.inline({ html, css }));

describe("inlining", () => {
  test("returns html without CSS unchanged, byte for byte", async () => {
    const html = "<P Class=a>\r\n<br/>&nbsp;{{#x}}<tr>{{/x}}";
    expect(await inline(html)).toBe(html);
    expect(await inline(html, "h1 { color: red }")).toBe(html);
  });

  test("puts the workspace's CSS first, so that the template's own wins at equal specificity", async () => {
    expect(await inline("<style>p{color:red}</style><p>x</p>", "p{color:green;margin:0}")).toBe(
      '<p style="margin: 0; color: red;">x</p>',
    );
    expect(
      await inline('<style>p{color:red}</style><p class="a" style="color:blue">x', ".a{color:green}"),
    ).toContain("color: blue");
    expect(await inline("<style>p{color:red}</style><p class=a>x", ".a{color:green}")).toContain(
      "color: green",
    );
  });

  test("puts rules that can't be inlined into a style element of the head, the template's own last", async () => {
    const html =
      "<!doctype html><html><head><title>t</title><style>a:hover{color:red}</style></head><body><a>x</a>";
    const result = await inline(html, "@media print{a{color:blue}}@keyframes k{to{top:0}}a{top:1px}");
    expect(result).toBe(
      "<!doctype html><html><head><title>t</title><style>\n@media print{a{color:blue}}\n@keyframes k{to{top:0}}\n</style>" +
        '<style>\na:hover{color:red}\n</style></head><body><a style="top: 1px;">x</a>',
    );
  });

  test("leaves a fragment a fragment, with the remaining styles at its top", async () => {
    expect(await inline("<p>x", "@font-face{font-family:f}@import url(http://127.0.0.1:9/x);p{top:0}")).toBe(
      '<style>\n@import url(http://127.0.0.1:9/x);\n@font-face{font-family:f}\n</style><p style="top: 0;">x',
    );
  });

  test("splits a rule between selectors that can be inlined and those that can't", async () => {
    expect(await inline("<a>x</a>", "a, a:hover { color: red }")).toBe(
      '<style>\na:hover { color: red }\n</style><a style="color: red;">x</a>',
    );
  });

  test("leaves style elements with media or data-embed unchanged", async () => {
    const html = '<style media="print">p{color:red}</style><style data-embed>p{top:0}</style><p>x</p>';
    expect(await inline(html)).toBe(html);
  });
});

describe("placeholders are preserved", () => {
  test.each([
    [
      "sections around rows",
      "<table>{{#rows}}<tr><td>{{name}}</td></tr>{{/rows}}{{^rows}}<tr></tr>{{/rows}}</table>",
    ],
    ["links and comments", '<a href="{{url}}">{{raw}}</a>{{! "quoted" > <b> }}<i>x</i>'],
    ["unquoted attributes", "<a href={{url}} title={{ t }}>x</a>"],
    ["between attributes", '<td {{#c}}class="x"{{/c}} {{attributes}}>x</td>'],
    ["right behind the name", '<td{{#c}} class="x"{{/c}}>x</td>'],
    ["upper case and entities", "<TD>&nbsp;{{Name}}&copy; &lt;<br/></TD>"],
    ["other delimiters", "{{=<% %>=}}<td><%name%></td><% #rows %><td>x</td><% /rows %>"],
    ["conditional comments", '<!--[if mso]><td>{{it\'s}}</td><![endif]--><td class="{{c}} x">y</td>'],
  ])("%s", async (_, html) => {
    const result = await inline(html, "td, a { top: 0 }");
    expect(result).toContain('style="top: 0;"');
    expect(result.replaceAll(' style="top: 0;"', "")).toBe(html);
  });

  test("in style attributes, where they take precedence", async () => {
    expect(await inline(`<p style="color: {{c}}">x`, "p{color:red;top:0}")).toBe(
      '<p style="color: red; top: 0; color: {{c}}">x',
    );
    expect(await inline(`<p style='font: "{{f}}"'>x`, "p{top:0}")).toBe(`<p style='top: 0; font: "{{f}}"'>x`);
  });

  test("but not in a stylesheet, where they are refused", async () => {
    expect(await inliner.inline({ html: "<p>x", css: "p{color:{{c}}}" })).toMatchObject({
      ok: false,
      reason: "failed",
    });
  });
});

describe("stylesheets", () => {
  test.each([
    "p { color: red }",
    "",
    "@media (max-width: 600px) { .a { --x: 1 } }",
    ":is(a b, c d) { top: 0 }",
    '@import "x";',
  ])("%j is valid", async (css) => {
    expect(await inliner.checkStylesheet(css)).toEqual({ ok: true });
  });
  test.each([
    ["p {\n color: red", 1, 1],
    ["p {}\n p { color }", 2, 6],
    ["hello", 1, 1],
    ["p { color: {{c}} }", 1, 12],
    ["p {}\n</style><script>", 2, 1],
    ["color: red", 1, 1],
  ])("%j is refused at line %i, column %i", async (css, line, column) => {
    expect(await inliner.checkStylesheet(css)).toEqual({
      ok: false,
      reason: "failed",
      message: expect.stringContaining(`(line ${line}, column ${column})`),
      retryAfterMs: undefined,
    });
  });
  test("has at most 256 KiB and 2,000 rules", async () => {
    expect(await inliner.checkStylesheet(" ".repeat(256 * 1024))).toEqual({ ok: true });
    expect((await inliner.checkStylesheet(" ".repeat(256 * 1024 + 1))).ok).toBe(false);
    expect(await inliner.checkStylesheet("p{}".repeat(2_000))).toEqual({ ok: true });
    expect((await inliner.checkStylesheet("p{}".repeat(2_001))).ok).toBe(false);
  });
});

describe("text parts", () => {
  test("preserve placeholders, their case and the sections between rows", async () => {
    const html =
      '<h1>Hi {{name}}</h1><table>{{#items}}<tr><td>{{ title }}</td><td>{{{price}}}</td></tr>{{/items}}</table><p>See <a href="{{url}}">it</a></p>';
    expect(await inliner.toText(html)).toEqual({
      ok: true,
      text: "Hi {{name}}\n\n{{#items}}\n{{ title }} {{{price}}}\n{{/items}}\n\nSee it [{{url}}]",
    });
  });
  test("don't wrap lines", async () => {
    const long = "word ".repeat(100).trim();
    expect(await inliner.toText(`<p>${long}</p>`)).toEqual({ ok: true, text: long });
    const hidden = '<div style="display:none" data-skip-in-text="true">Preview {{name}}</div>';
    const text = await inliner.toText(`<body>${hidden}<p>Hello {{name}}</p></body>`);
    expect(text).toEqual({ ok: true, text: "Hello {{name}}" });
  });
});

const paragraphs = "<p>x</p>".repeat(20_000);

/** A thread that does this at each job: it starts in a tenth of the time of one that loads the libraries. */
const findThread = (job: string) => async () => ({
  script: `const { parentPort, threadId } = require("node:worker_threads");
    parentPort.on("message", () => {
      parentPort.postMessage("started");
      ${job}
    });`,
});
const findEndless = findThread("for (;;);");

describe("hostile input ends within its time, and the inliner continues", () => {
  // A shorter timeout with the same effect as the usual two seconds: ten times what a small job takes in a new thread.
  const hurried = openForOne({ timeoutMs: 200 });
  const inline = async (html: string, css: string) => htmlOf(await hurried.inline({ html, css }));
  afterAll(() => hurried.close());

  const rule = (index: number) => `p{a${index}:${"v".repeat(40)}}`;
  test.each([
    ["spaces in a selector", "<p>x</p>", `p:nth-child(${" ".repeat(28)}x{top:0}`],
    ["closed spaces in a selector", "<p>x</p>", `p:nth-child(${" ".repeat(5_000)}x){top:0}`],
    [":is with complex selectors", "<p>x</p>", ":is(a b, c d){top:0}"],
    ["deep nesting", "<div>".repeat(20_000), "p{top:0}"],
    ["deep CSS nesting", "<p>x</p>", "a{".repeat(20_000) + "}".repeat(20_000)],
    ["unclosed comments", "<p>x</p>".repeat(9), "/*".repeat(50_000)],
    ["attribute soup", `<p ${"a=' ".repeat(50_000)}`, "p{top:0}"],
    ["many placeholders", "<p a={{b}}>{{c}}</p>".repeat(20_000), "p{top:0}"],
  ])("%s", async (_, html, css) => {
    const result = await hurried.inline({ html, css });
    if (!result.ok) expect(["timeout", "too_large", "too_deep", "failed"]).toContain(result.reason);
    expect(await inline("<p>x</p>", "p{top:0}")).toBe('<p style="top: 0;">x</p>');
  });

  test("an output that explodes, with jobs waiting behind it", async () => {
    const css = Array.from({ length: 600 }, (_, index) => rule(index)).join("");
    const bomb = hurried.inline({ html: paragraphs, css });
    const behind = [1, 2, 3].map(() => inline("<p>x</p>", "p{top:0}"));
    expect(["timeout", "too_large", "failed"]).toContain(
      await bomb.then((result) => (result.ok ? "" : result.reason)),
    );
    expect(await Promise.all(behind)).toEqual(Array(3).fill('<p style="top: 0;">x</p>'));
  });

  test("depth and size have reasons of their own", async () => {
    const deep = await inliner.inline({ html: "<div>".repeat(257), css: "p{top:0}" });
    expect(deep).toMatchObject({ reason: "too_deep" });
    expect((await inliner.inline({ html: "<div>".repeat(256), css: "p{top:0}" })).ok).toBe(true);
    const huge = "x".repeat(512 * 1024 + 1);
    expect(await inliner.inline({ html: huge, css: "p{top:0}" })).toMatchObject({ reason: "too_large" });
    const wide = { html: "<p>x</p>".repeat(3_000), css: `p{a:${"v".repeat(900)}}` };
    expect(await inliner.inline(wide)).toMatchObject({ reason: "too_large" });
  });
});

test("a job that exceeds its time is ended, and the next one runs", async () => {
  const hurried = openForOne({ timeoutMs: 1 });
  const result = await hurried.inline({ html: paragraphs, css: "p{top:0}" });
  expect(result).toMatchObject({ ok: false, reason: "timeout" });
  await hurried.close();
});

/** Worker threads that don't compute: the time that passes is not theirs. */
function standStill(): void {
  const usage = vi.spyOn(Worker.prototype, "cpuUsage").mockResolvedValue({ user: 0, system: 0 });
  onTestFinished(() => usage.mockRestore());
}

test("a job on a busy machine is given its full time", async () => {
  standStill();
  const hurried = openForOne({ timeoutMs: 1 });
  expect(await hurried.inline({ html: "<p>x</p>".repeat(200), css: "p{top:0}" })).toMatchObject({ ok: true });
  await hurried.close();
});

test("a job whose thread hangs is ended after half a minute", async () => {
  standStill();
  let now = 0;
  const hurried = openForOne({ timeoutMs: 1, now: () => (now += 10_000), find: findEndless });
  const stuck = await hurried.inline({ html: "<p>x</p>", css: "p{top:0}" });
  expect(stuck).toMatchObject({ ok: false, reason: "timeout" });
  await hurried.close();
});

test("a thread without jobs is ended, and the next job starts another", async () => {
  const find = findThread("parentPort.postMessage({ ok: true, output: String(threadId) });");
  const ended = vi.spyOn(Worker.prototype, "terminate");
  onTestFinished(() => ended.mockRestore());
  const resting = openForOne({ idleMs: 1, find });
  const first = await resting.toText("a");
  expect(first.ok).toBe(true);
  // Threads of other tests end meanwhile, too.
  await expect.poll(() => resting.toText("b")).not.toEqual(first);
  expect((await resting.toText("c")).ok).toBe(true);
  expect(ended).toHaveBeenCalled();
  await resting.close();
});

test.each(["a new inliner", "one that has a thread"])(
  "%s that is closed refuses, and settles every waiting job",
  async (state) => {
    const closing = openForOne();
    if (state !== "a new inliner") await closing.toText("x");
    const jobs = [1, 2].map(() => closing.inline({ html: "<p>x", css: "p{top:0}" }));
    await closing.close();
    expect((await Promise.all(jobs)).map((result) => result.ok)).toEqual([false, false]);
    expect(await closing.toText("x")).toMatchObject({ ok: false, reason: "unavailable" });
  },
);

test("a job that ran out of time is retried later, a limited number of times", async () => {
  let now = 0;
  const hurried = openForOne({ timeoutMs: 1, now: () => now, find: findEndless });
  const waits: (number | undefined)[] = [];
  for (const at of [0, 10_000, 30_000, 150_000, 200_000]) {
    now = at;
    const result = await hurried.inline({ html: "<p>x</p>", css: "p{top:0}" });
    expect(result).toMatchObject({ ok: false, reason: "timeout" });
    if (!result.ok) waits.push(result.retryAfterMs);
  }
  expect(waits).toEqual([30_000, 20_000, 120_000, undefined, undefined]);
  await hurried.close();
});

test("a worker that can't be found or started is reported as unavailable, and tried again later", async () => {
  const told: unknown[] = [];
  const logger = { ...silentLogger, error: (fields: object) => void told.push(fields) };
  const refusedByNode = { file: new URL("http://127.0.0.1/worker.js") };
  const ends = ["throw new Error('no such module')", "process.exit(1)"].map((script) => ({ script }));
  const sources = [undefined, refusedByNode, ...ends].map((source) => async () => source);
  for (const find of [...sources, () => Promise.reject(new Error("too many open files"))]) {
    const broken = openForOne({ find, logger });
    expect(await broken.inline({ html: "<p>x", css: "p{top:0}" })).toMatchObject({
      reason: "unavailable",
      retryAfterMs: 30_000,
    });
    expect(await broken.checkStylesheet("p{}")).toMatchObject({ reason: "unavailable" });
    await broken.close();
  }
  expect(told).toHaveLength(10);
});
