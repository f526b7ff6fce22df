import { expect, test } from "vitest";
import { asTemplate, asWritten, bracket } from "../../../test/rewritten-links.ts";
import { composeContent } from "../../content/composition.ts";
import { joinParts } from "../../content/rendering/text-parts.ts";
import { trackComposition } from "../../content/track-composition.ts";
import type { LinkRewrite } from "./link-rewrite.ts";

test.each([
  ["quotes", '<a href="https://a.example/x">A</a>', '<a href="[https://a.example/x]">A</a>'],
  ["single quotes", "<a href='https://a.example/x'>A</a>", "<a href='[https://a.example/x]'>A</a>"],
  ["no quotes", "<a href=https://a.example/x>A</a>", "<a href=[https://a.example/x]>A</a>"],
  ["no quotes before a slash", "<area href=https://a.example/x />", "<area href=[https://a.example/x] />"],
  ["upper case and blanks", '<A\nHREF = "HTTP://A.example/X" >', '<A\nHREF = "[http://a.example/X]" >'],
  ["areas", '<map><area href="https://a.example/"></map>', '<map><area href="[https://a.example/]"></map>'],
  ["entities", '<a href="https://a.example/?a=1&amp;b=2">', '<a href="[https://a.example/?a=1&amp;b=2]">'],
  ["an entity first", '<a href="&#104;ttps://a.example/">', '<a href="[https://a.example/]">'],
  [
    "entities beside quotes",
    `<a href='https://a.example/?a="&amp;b'>`,
    "<a href='[https://a.example/?a=%22&amp;b]'>",
  ],
  [
    "what is no entity",
    '<a href="https://a.example/?a=1&copy=2">',
    '<a href="[https://a.example/?a=1&amp;copy=2]">',
  ],
  [
    "patterns of String.replace",
    '<a href="https://a.example/$&$1$`">',
    '<a href="[https://a.example/$&amp;$1$%60]">',
  ],
  [
    "international names",
    '<a href="https://bücher.example/ä">',
    '<a href="[https://xn--bcher-kva.example/%C3%A4]">',
  ],
  ["blanks around it", '<a href=" https://a.example/ ">', '<a href="[https://a.example/]">'],
  ["line breaks within", '<a href="https://a.exa\nmple/">', '<a href="[https://a.example/]">'],
  ["quotes of the other kind", `<a href='https://a.example/"x'>`, "<a href='[https://a.example/%22x]'>"],
  [
    "the first of several",
    '<a href="https://a.example/" href="x">',
    '<a href="[https://a.example/]" href="x">',
  ],
  [
    "tags behind comments",
    '<!-- > --><a href="https://a.example/">',
    '<!-- > --><a href="[https://a.example/]">',
  ],
  [
    "revealed html",
    '<![if !mso]><a href="https://a.example/">',
    '<![if !mso]><a href="[https://a.example/]">',
  ],
])("finds a link with %s", async (_, html, expected) => {
  expect(await asWritten(html)).toBe(expected);
  expect(await asTemplate(html)).toBe(expected);
});

test.each([
  ["other schemes", '<a href="mailto:a@b.example"><a href="tel:+391"><a href="javascript:void 0">'],
  ["anchors and relative addresses", '<a href="#top"><a href="/x"><a href="//a.example/"><a href="x.html">'],
  ["no address", '<a href=""><a href><a name="x"><a href="https://">'],
  [
    "data-no-track",
    '<a data-no-track href="https://a.example/"><a href="https://a.example/" DATA-NO-TRACK="x">',
  ],
  [
    "other tags",
    '<link href="https://a.example/"><abbr href="https://a.example/"><img src="https://a.example/">',
  ],
  ["Outlook's shapes", '<v:roundrect href="https://a.example/">x</v:roundrect>'],
  ["comments", '<!--[if mso]><a href="https://a.example/">x</a><![endif]-->'],
  [
    "scripts and styles",
    '<style>/* <a href="https://a.example/"> */</style><script>"<a href=\'https://a.example/\'>"</script>',
  ],
  ["text", "See https://a.example/ &lt;a href=&quot;https://a.example/&quot;&gt;"],
  ["an open tag", '<a href="https://a.example/'],
  ["what follows an empty value", '<a href="" href="https://a.example/"><a href HREF=https://a.example/>'],
  [
    "paths of a base with a scheme",
    '<base href="https://b.example/"><a href="https:a.example/x"><a href="HTTPS:/a"><a href=" ht&#10;tps:a">',
  ],
])("leaves %s as written", async (_, html) => {
  expect(await asWritten(html)).toBe(html);
  expect(await asTemplate(html)).toBe(html);
});

test.each([
  [
    "a whole address",
    '<a href="{{url}}">A</a>',
    { url: "https://a.example/?a=1&b=2" },
    '<a href="[https://a.example/?a=1&amp;b=2]">A</a>',
  ],
  [
    "unescaped",
    '<a href="{{{url}}}">',
    { url: "https://a.example/?a=1&amp;b=2" },
    '<a href="[https://a.example/?a=1&amp;b=2]">',
  ],
  ["without quotes", "<a href={{url}}>", { url: "https://a.example/x" }, "<a href=[https://a.example/x]>"],
  [
    "parts of one",
    '<a href="https://{{host}}/{{path}}?x={{x}}">',
    { host: "a.example", path: "b", x: "c'd" },
    '<a href="[https://a.example/b?x=c%27d]">',
  ],
  [
    "of patterns",
    '<a href="{{url}}">',
    { url: "https://a.example/$&$1" },
    '<a href="[https://a.example/$&amp;$1]">',
  ],
  [
    "in a loop",
    '{{#l}}<a href="https://a.example/{{.}}">{{.}}</a>{{/l}}',
    { l: [1, 2] },
    '<a href="[https://a.example/1]">1</a><a href="[https://a.example/2]">2</a>',
  ],
  [
    "in a section",
    '{{#no}}<a href="https://a.example/">{{/no}}{{^no}}<a href="https://b.example/">{{/no}}',
    {},
    '<a href="[https://b.example/]">',
  ],
  [
    "with sections inside",
    '<a href="{{#b}}https://b.example/{{/b}}{{^b}}https://a.example/{{/b}}">',
    {},
    '<a href="[https://a.example/]">',
  ],
  [
    "beside a section in its tag",
    '<a{{#c}} class="{{c}}"{{/c}} href="https://a.example/">',
    { c: "x" },
    '<a class="x" href="[https://a.example/]">',
  ],
  [
    "tracked unless a section says otherwise",
    '{{#l}}<a {{#no}}data-no-track{{/no}} href="https://a.example/{{x}}"><a href=https://b.example/ {{^no}}DATA-NO-TRACK=""{{/no}}>{{/l}}',
    {
      l: [
        { no: true, x: 1 },
        { no: false, x: 2 },
      ],
    },
    '<a data-no-track href="https://a.example/1"><a href=[https://b.example/] >' +
      '<a  href="[https://a.example/2]"><a href=https://b.example/ DATA-NO-TRACK="">',
  ],
  [
    "in the first attribute that is rendered",
    '{{#l}}<a {{#x}}href="https://a.example/"{{/x}} {{#y}}href{{/y}} {{#z}}href="https://b.example/"{{/z}}>{{/l}}',
    { l: [{ x: 1, z: 1 }, { z: 1 }, { y: 1, z: 1 }] },
    '<a href="[https://a.example/]"  href="https://b.example/">' +
      '<a   href="[https://b.example/]"><a  href href="https://b.example/">',
  ],
  [
    "behind a tag that a section cuts",
    '<a data-no-track href="https://a.example/" {{#x}}>{{/x}}</a><a href="https://b.example/">',
    {},
    '<a data-no-track href="https://a.example/" </a><a href="[https://b.example/]">',
  ],
  [
    "after a placeholder with quotes",
    '{{! " > }}<a title="{{t}}" href="https://a.example/">',
    { t: '">' },
    '<a title="&quot;&gt;" href="[https://a.example/]">',
  ],
  ["that is no link", '<a href="{{url}}">', { url: "javascript:alert(1)" }, '<a href="javascript:alert(1)">'],
  ["that is missing", '<a href="{{url}}">', {}, '<a href="">'],
  [
    "that brings html",
    '<a href="{{{url}}}">',
    { url: 'https://a.example/">A</a><a href="https://b.example/' },
    '<a href="https://a.example/">A</a><a href="https://b.example/">',
  ],
  [
    "that brings blanks",
    "<a href={{url}}>",
    { url: "https://a.example/ x" },
    "<a href=https://a.example/ x>",
  ],
  [
    "that brings anchors",
    "{{{html}}}",
    { html: '<a href="https://a.example/">' },
    '<a href="https://a.example/">',
  ],
  [
    "that holds a mark",
    '<a href="https://a.example/{{x}}">{{x}}',
    { x: "\uDC03" },
    '<a href="[https://a.example/%EF%BF%BD]">\uDC03',
  ],
])("a template's link by values %s", async (_, html, data, expected) => {
  expect(await asTemplate(html, data)).toBe(expected);
});

test("a section that cuts through values leaves them as written, and later links are found", async () => {
  const html =
    '<a href="{{#x}}https://a.example/"{{/x}}{{^x}}https://b.example/"{{/x}}>A</a><a href="https://c.example/">';
  expect(await asTemplate(html, { x: true })).toBe(
    '<a href="[https://a.example/]">A</a><a href="[https://c.example/]">',
  );
  expect(await asTemplate(html, { x: false })).toBe(
    '<a href="https://b.example/">A</a><a href="[https://c.example/]">',
  );
});

test("the literals are one list for all mails of a content, without marks", async () => {
  const html = '<a href="https://a.example/{{x}}">A</a>{{y}}';
  const tracked = await trackComposition(composeContent({ subject: "", html, text: "" }), composeContent);
  const [one, two] = [1, 2].map((x) => tracked.renderBody({ x, y: x }, bracket).html);
  expect(one?.literals).toBe(two?.literals);
  expect(one?.literals.every((literal) => literal.isWellFormed())).toBe(true);
});

test("tracked links are numbered in order, from 0 at each rendering, and the size tells what they add", async () => {
  const numbered: LinkRewrite = {
    replace: (url, number) => `${number} ${bracket.replace(url, 0)}`,
    ending: "*",
  };
  const html = '<a href="https://a.example/"><a href="#"><a href="https://a.example/">';
  const composition = composeContent({ subject: "", html, text: "" });
  const tracked = await trackComposition(composition, composeContent);
  for (let rendering = 0; rendering < 2; rendering += 1) {
    const { html: parts, size } = tracked.renderBody({}, numbered);
    const text = parts === undefined ? "" : joinParts(parts);
    expect(text).toBe('<a href="0 [https://a.example/]"><a href="#"><a href="1 [https://a.example/]">*');
    expect(size).toBeGreaterThanOrEqual(text.length);
  }
  expect(await asWritten(html, numbered)).toContain('"1 [https://a.example/]"');
});

test("a template at the limits of templates is sent without being tracked", async () => {
  const composition = composeContent({ subject: "", html: '<a href="https://a.example/">{{{x}}}', text: "" });
  const tracked = await trackComposition(composition, composeContent);
  const most = 2 * 1024 * 1024 - '<a href="https://a.example/">'.length;
  const { html } = tracked.renderBody({ x: "x".repeat(most) }, bracket);
  expect(html && joinParts(html).slice(0, 30)).toBe('<a href="https://a.example/">x');
});

test("a lone surrogate in the html is no mark", async () => {
  const html = '\uDC04<a href="https://a.example/\uDC03x">\uDC00';
  const expected = '\uFFFD<a href="[https://a.example/%EF%BF%BDx]">\uFFFD*';
  expect(await asTemplate(html, {}, { ...bracket, ending: "*" })).toBe(expected);
});

test("at most 1,000 links are tracked, whatever the html has; others do not count", async () => {
  const html = '<a href="#"><a href="https://a.example/">'.repeat(1_001);
  const expected = `${'<a href="#"><a href="[https://a.example/]">'.repeat(1_000)}<a href="#"><a href="https://a.example/">`;
  expect(await asWritten(html)).toBe(expected);
  expect(
    await asTemplate('{{#l}}<a href="#"><a href="https://a.example/">{{/l}}', { l: Array(1_001).fill(1) }),
  ).toBe(expected);
});
