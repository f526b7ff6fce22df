import { Parser } from "htmlparser2";
import { expect, test } from "vitest";
import { openWorldForEach, workspace, world } from "../../test/world-for-each.ts";
import { createTextOfHtml } from "./text-of-html.ts";

openWorldForEach();

const textOfHtml = createTextOfHtml(Parser);

test.each([
  ["no html", " 1 < 2 &amp; 3\n", " 1 < 2 & 3\n"],
  ["a text without marks, unchanged", " a\n\n b ", " a\n\n b "],
  [
    "paragraphs and lines",
    "<h2>Hi</h2>\n<p>one<br>two</p> <div>three</div>four",
    "Hi\n\none\ntwo\n\nthree\nfour",
  ],
  [
    "an empty line where there are two breaks, and none at the end of a block",
    "<div>one<br><br>two<br/>\n<br><br>three<br></div>four<p>five</p><br><p>six</p><br>",
    "one\n\ntwo\n\nthree\nfour\n\nfive\n\nsix",
  ],
  [
    "other blocks as lines",
    "a<center>b</center><address>c</address><dl><dt>d</dt><dd>e</dd></dl><details><summary>f</summary>g</details>",
    "a\nb\nc\n\nd\ne\n\nf\ng",
  ],
  ["lists", "a<ul><li>b</li> <li><b>c</b> d</li></ul>e", "a\n\n * b\n * c d\n\ne"],
  [
    "numbers of ordered lists",
    "<ol><li>a<li>b<ul><li>c</ul><li>d</ol>e<ol start=7><li>f</ol>",
    " 1. a\n 2. b\n\n * c\n\n 3. d\n\ne\n\n 7. f",
  ],
  [
    "preformatted lines as they are",
    "<p>a</p><pre>\n<b>if</b> (b &amp;&amp;  c)\n  d;\n\n\n e\n</pre>f  g",
    "a\n\nif (b &&  c)\n  d;\n\n\n e\n\nf g",
  ],
  [
    "nothing that its own style hides",
    'a<div style="color: red; display:none!important">b<p>c<br></p><img alt="d"></div><ul style="display: none"><li>e</ul>' +
      '<img style="display:none" alt="f"><p style="display: block">g</p><p style="x-display: none">h</p>',
    "a\n\ng\n\nh",
  ],
  ["tables", "<table><tr><td>1</td><td>2</td></tr><tr><th>3</th></tr></table>", "1 2\n3"],
  [
    "links",
    '<a href="https://a.example/?b=1&amp;c">go</a> <a href=d>d</a> <a>e</a>',
    "go [https://a.example/?b=1&c] d e",
  ],
  [
    "links as a whole template's",
    '<a href="mailto:ada@a.example">ada@a.example</a> <a href="mailto:b@a.example">Bob</a> <a href="#top">up</a>',
    "ada@a.example Bob [b@a.example] up",
  ],
  [
    "words for images",
    'a<img alt="b &amp; c"> <a href="d"><img alt="e"></a><head><img alt="f">',
    "ab & c e [d]",
  ],
  ["entities", "&euro;&nbsp;5 &#x41;&lt;b&gt;", "€\u00a05 A<b>"],
  [
    "an address as it is, whatever its parameters are called",
    "https://a.example/?x=1&copy=2&lt=3",
    "https://a.example/?x=1&copy=2&lt=3",
  ],
  [
    "nothing that is not shown",
    "<title>t</title><style>p{}</style>a<!-- b --><script>c</script><template>d</template>",
    "a",
  ],
  ["elements without an end", "<p>a <b>b", "a b"],
])("shows %s", (_, html, text) => {
  expect(textOfHtml(html)).toBe(text);
});

test.each(["<b>".repeat(300), "<br>".repeat(20_001), "&amp;".repeat(20_001)])(
  "leaves what would take long as it is",
  (html) => {
    expect(textOfHtml(html)).toBe(html);
  },
);

test("raw values are made text where the text part is made from the html, and there alone", async () => {
  const { templates, templateVersions } = world.posthorn;
  const html = "<h1>{{title}}</h1>{{{body}}}";
  const templateData = { title: "A < B &amp;", body: "<p>one</p><p>two &amp; three</p>" };
  async function preview(content: { html: string; text?: string }) {
    const name = content.text ?? "made";
    const { id, activeVersionId } = await templates.create({ name, ...content }, workspace.asOwner);
    const shown = { templateId: id, versionId: activeVersionId, templateData };
    return templateVersions.preview(shown, workspace.asOwner);
  }
  expect(await preview({ html })).toMatchObject({
    html: "<h1>A &lt; B &amp;amp;</h1><p>one</p><p>two &amp; three</p>",
    text: "A < B &amp;\n\none\n\ntwo & three",
  });
  expect(await preview({ html, text: "{{title}} {{{body}}}" })).toMatchObject({
    text: "A < B &amp; <p>one</p><p>two &amp; three</p>",
  });
});

test("what a stylesheet or the template's own style hides is in no text part", async () => {
  const { stylesheets, templates, templateVersions } = world.posthorn;
  await stylesheets.create({ name: "brand", css: ".hidden { display: none }" }, workspace.asOwner);
  const html = '<style>.own { display: none }</style><i class="hidden">a</i><b class="own">b</b><p>c</p>';
  const { id, activeVersionId } = await templates.create({ name: "made", html }, workspace.asOwner);
  const shown = { templateId: id, versionId: activeVersionId };
  expect(await templateVersions.preview(shown, workspace.asOwner)).toMatchObject({ text: "c" });
});
