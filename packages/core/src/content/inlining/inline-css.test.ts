import { describe, expect, test } from "vitest";
import { inlineCss } from "./inline-css.ts";

describe("what values decide stays in a style element", () => {
  const kept = /<style>\n(.*)\n<\/style>/s;

  test.each([
    [
      "a class from a placeholder",
      '<p class="status {{status}}">x</p>',
      ".paid, p { top: 0 }",
      ".paid { top: 0 }",
    ],
    ["an id", "<p id={{id}}>x</p>", "#a, .b { top: 0 }", "#a { top: 0 }"],
    [
      "another attribute",
      '<a href="{{url}}">x</a>',
      '[HREF^="https:"], [title], .b { top: 0 }',
      '[HREF^="https:"] { top: 0 }',
    ],
    ["attributes in a section", '<p {{#c}}class="x"{{/c}}>x</p>', ".x, #y, p { top: 0 }", ".x { top: 0 }"],
    [
      "attributes from a placeholder",
      "<p {{attributes}}>x</p>",
      ".x, #y, [z], p { top: 0 }",
      ".x, #y, [z] { top: 0 }",
    ],
    ["elements from a raw value", "<div>{{{body}}}</div>", "h2, .x { top: 0 }", "h2, .x { top: 0 }"],
    [
      "a sibling in a section",
      "<ul>{{#all}}<li>x</li>{{/all}}</ul>",
      "li + li, li { top: 0 }",
      "li + li { top: 0 }",
    ],
  ])("%s", (_, html, css, expected) => {
    expect(kept.exec(inlineCss(html, css))?.[1]).toBe(expected);
    expect(inlineCss(html.replaceAll(/\{\{.*?\}\}+/g, ""), css)).not.toMatch(kept);
    expect(inlineCss(`<style>${css}</style>${html}`, "")).toContain(`<style>\n${expected}\n</style>`);
  });

  test("the first child, too, where a section may bring others, and only there is it not inlined", () => {
    const row = (style: string) => `{{#rows}}<tr><td${style}>1</td><td>2</td></tr>{{/rows}}`;
    const css = "td:first-child { top: 0 }\ntr:first-child td { left: 0 }\ntr:nth-child(even) { right: 0 }";
    expect(inlineCss(`<table>${row("")}</table>`, css)).toBe(
      `<style>\n${css}\n</style><table>${row(' style="top: 0;"')}</table>`,
    );
  });

  test("a sibling, where a section may leave it out, and only there", () => {
    const css = "h1 + p { top: 0 } b:not(.a) ~ b[title~=x] + i { left: 0 } p { right: 0 }";
    const html = "{{#title}}<h1>x</h1>{{/title}}<p>x</p><div><h1>x</h1><p>y</p></div>";
    expect(inlineCss(html, css)).toBe(
      `<style>\nh1 + p { top: 0 }\nb:not(.a) ~ b[title~=x] + i { left: 0 }\n</style>${html
        .replace("<p>x", '<p style="right: 0;">x')
        .replace("<p>y", '<p style="right: 0; top: 0;">y')}`,
    );
    const row = '<b>x</b><b title="x">y</b><i>z</i>';
    expect(inlineCss(`${row}<div>${row}{{#c}}x{{/c}}</div>`, css)).toContain(
      `${row.replace("<i", '<i style="left: 0;"')}<div>${row}`,
    );
    // It counts as much as where nothing is left out.
    expect(
      inlineCss("<u>{{#c}}x{{/c}}</u><b>x</b><i class=a>y</i>", "b + i { top: 0 } .a { top: 1px }"),
    ).toContain('<i style="top: 1px;"');
  });

  test.each([
    "[data-ogsc] .a",
    "a[x-apple-data-detectors]",
    "u + .body .a",
    "div > u ~ p",
    "#outlook a",
    "#MessageViewBody a",
    ".ExternalClass *",
    '.a[style*="margin: 16px 0"]',
    '[class~="x_a"] p',
    ".moz-text-html .a",
    "img.g-img + div",
    ".a img + div",
    "[owa] .a",
    ".b noinput .a",
    "noinput.a",
    "a[href^=tel]",
    'a[href^="x-apple-data-detectors:"]',
    ".thread-item.expanded .thread-body .body",
  ])("and what is for html as a mail program changes it: %s", (selector) => {
    const [html, css] = ["<p class=a>x</p>", `${selector} { top: 0 !important }`];
    expect(inlineCss(html, `${css} .u + p, .image, .x_a { left: 0 }`)).toBe(
      `<style>\n${css}\n</style>${html}`,
    );
  });

  test.each([
    ["<!--[if !mso]><!-->", "<!--<![endif]-->"],
    ["<!--[if !(mso)]><!-- -->", "<!--<![endif]-->"],
    ["<![if !mso]>", "<![endif]>"],
  ])("and a style element that Outlook is not to read: %s", (begin, end) => {
    const font = `${begin}<style>p { font-family: Roboto }</style>${end}`;
    const outlook = "<!--[if mso]><i>x</i><![endif]-->";
    expect(inlineCss(`${font}${outlook}<style>p { top: 0 }</style><p>x</p>`, "")).toBe(
      `${font}${outlook}<p style="top: 0;">x</p>`,
    );
  });

  test("but not a text in the title", () => {
    expect(inlineCss("<title>{{{subject}}}</title><p>x</p>", "p, b { top: 0 }")).not.toMatch(kept);
  });

  test("a class that is only sometimes there is not inlined, the others are", () => {
    const html = '<td id="d" {{#c}}class="x"{{/c}} title="t">x</td>';
    expect(inlineCss(html, ".x { top: 0 } #d { left: 0 } [title] { right: 0 }")).toContain(
      '<td style="right: 0; left: 0;" id="d"',
    );
  });
});

describe("a style element that the values decide stays as it is, and the workspace's CSS precedes it in its own", () => {
  const css = "@charset 'utf-8'; p { top: 0 }\n@media print { p { left: 0 } }";
  const kept = "<style>\np { top: 0 }\n@media print { p { left: 0 } }\n</style>";

  test.each([
    ["by a placeholder", "<style>p { color: {{brand}} } b { top: 0 }</style><p>x</p>"],
    ["by a section around it", "{{#dark}}<style>p { color: white }</style>{{/dark}}<p>x</p>"],
    ["by its absence", "{{^dark}}<style>p { color: black }</style>{{/dark}}<p>x</p>"],
  ])("%s", (_, html) => {
    expect(inlineCss(html, css)).toBe(kept + html);
    expect(inlineCss(html, "")).toBe(html);
  });

  test.each([
    ["that no parser reads", "<style>p { color: red } // words\n</style><p>x</p>"],
    ["in which names are no properties", "<style>p { $color: red }</style><p>x</p>"],
  ])("one %s", (_, html) => {
    expect(inlineCss(html, css)).toBe(kept + html);
  });

  test("but not one within the marks of an html comment", () => {
    const html = "<style>\n<!--\np { color: red } a:hover { top: 0 }\n-->\n</style><p>x</p>";
    expect(inlineCss(html, "p { color: blue }")).toBe(
      '<style>\na:hover { top: 0 }\n</style><p style="color: red;">x</p>',
    );
  });

  test("but one for some readers alone hinders nothing, nor does a section that has ended", () => {
    for (const html of [
      '<style media="print">p { color: {{c}} }</style><p>x</p>',
      "{{#a}}b{{/a}}<style></style><p>x</p>",
    ])
      expect(inlineCss(html, "p { top: 0 }")).toContain('<p style="top: 0;">');
  });
});

describe("declarations mean the same once inlined", () => {
  const styleOf = (html: string, css: string) =>
    /style="(.*?)"/.exec(inlineCss(html, css))?.[1]?.replaceAll("&#39;", "'");

  test.each([
    [`url('data:image/svg+xml,<svg id="a">')`, `url('data:image/svg+xml,<svg id=\\22 a\\22 >')`],
    [`"Bob's", 'the "A"', "c"`, `'Bob\\27 s', 'the \\22 A\\22 ', 'c'`],
    [String.raw`"a\"b\\" '\''`, String.raw`'a\22 b\\' '\27 '`],
    ["url(a\\'b.png)", "url(a\\'b.png)"],
  ])("with quotes in strings: %s", (value, expected) => {
    expect(styleOf("<p>x", `p { x-y: ${value}; top: 0 }`)).toBe(`x-y: ${expected}; top: 0;`);
  });

  test("and those for old readers are not for all", () => {
    expect(styleOf("<p>x", "p { top: 0; *top: 1px; _left: 0 }")).toBe("top: 0;");
    const own = "display: inline-block; *display: inline; _left: 0";
    expect(styleOf(`<p style="${own}">x`, "p { top: 0 }")).toBe(`top: 0; ${own}`);
  });

  test("and an element keeps its variables, which rules in a style element may use", () => {
    const html = '<p style="--a: red; left: 0; --b: url(;)">x';
    expect(styleOf(html, "p { top: var(--a) } p:hover { color: var(--b) }")).toBe(
      "top: red; left: 0; --a: red; --b: url(;);",
    );
  });

  test("and names that objects have harm nothing", () => {
    expect(inlineCss("<p style='left: 0; Constructor: x'>x", "p { top: 0 }")).toBe(
      "<p style='top: 0; left: 0; Constructor: x'>x",
    );
    expect(inlineCss("<p>x", "p { __proto__: x; top: 0 }")).toBe('<p style="top: 0;">x');
    expect(() => inlineCss("<p>x", "p { constructor: x }")).toThrow('"constructor" is not a property');
  });

  test("and an attribute without quotes is read to its end", () => {
    expect(inlineCss("<p style=background:url(a?b=`c`&quot;) id=d>x", "p { top: 0 }")).toBe(
      '<p style="top: 0; background:url(a?b=`c`&quot;)" id=d>x',
    );
  });
});

test.each([
  '<script>if (a <b && c="x) {}</script>',
  '<!--><b c="{{name}}"></b><!-- <b c="x -->',
  "<style>\na::after { content: '<b c=\"' }\n</style>",
  '<TITLE>1 <b c="2 {{name}}</b></TITLE>',
  '<textarea></text <b c=" </textareas {{name}}</textarea>',
])("a style keeps its placeholder behind text that looks like a tag: %s", (before) => {
  expect(inlineCss(`${before}<p style="color: {{color}}">x</p>`, "p { top: 0 }")).toBe(
    `${before}<p style="top: 0; color: {{color}}">x</p>`,
  );
});

test("a style without quotes keeps those within it, and ends with the section that it is in", () => {
  expect(inlineCss('<p style=background:url("{{u}}")>x', "p { top: 0 }")).toBe(
    '<p style="top: 0; background:url(&quot;{{u}}&quot;)">x',
  );
  const inSection = inlineCss(
    '<p {{#c}}style=left:{{#d}}1{{/d}}{{^d}}2{{/d}};font:"{{f}}"{{/c}}>x',
    "p { top: 0 }",
  );
  expect(inSection).toBe(
    '<p style="top: 0; {{#c}}left:{{#d}}1{{/d}}{{^d}}2{{/d}};font:&quot;{{f}}&quot;;{{/c}}" {{#c}}{{/c}}>x',
  );
});

describe("a style attribute in a section", () => {
  const css = "td { top: 0; color: red !important }";
  test.each([
    ['{{#c}}style="left: 0"{{/c}}', "{{#c}}left: 0;{{/c}}", "{{#c}}{{/c}}"],
    [
      "{{#c}}class='x' style='left: {{x}}'{{/c}} {{^c}}style='right: 0;'{{/c}}",
      "{{^c}}right: 0;{{/c}}{{#c}}left: {{x}};{{/c}}",
      "{{#c}}class='x' {{/c}} {{^c}}{{/c}}",
    ],
    [
      '{{#b}}{{#c}}style="left: 0"{{/c}}{{/b}} style="right: 0"',
      "right: 0;{{#b}}{{#c}}left: 0;{{/c}}{{/b}}",
      "{{#b}}{{#c}}{{/c}}{{/b}} ",
    ],
  ])("comes after the sheets' styles, which every e-mail has: %s", (attributes, own, left) => {
    const quote = attributes.includes("'") ? "'" : '"';
    expect(inlineCss(`<td ${attributes}>x</td>`, css)).toBe(
      `<td style=${quote}top: 0; color: red; ${own}${quote} ${left}>x</td>`,
    );
    expect(inlineCss(`<td ${attributes}>x</td>`, "b { top: 0 }")).toBe(`<td ${attributes}>x</td>`);
  });

  test("may have other quotes than another", () => {
    const tag = `<td {{#c}}style='font: "{{f}}"'{{/c}}{{^c}}style="font: '{{f}}'"{{/c}}>x</td>`;
    expect(inlineCss(tag, "td { top: 0 }")).toBe(
      `<td style="top: 0; {{^c}}font: '{{f}}';{{/c}}{{#c}}font: &quot;{{f}}&quot;;{{/c}}" {{#c}}{{/c}}{{^c}}{{/c}}>x</td>`,
    );
  });

  test("of many blanks takes linear time", () => {
    const style = `color: red;${" ".repeat(300_000)}top: 0`;
    expect(inlineCss(`<p {{#c}}style="${style}"{{/c}}>x</p>`, "p { left: 0 }")).toContain("left: 0");
  });

  test("is replaced as a whole if its section ends elsewhere", () => {
    expect(inlineCss('{{#c}}<td style="left: 0" {{/c}}title="{{x}}">x</td>', "td { top: 0 }")).toContain(
      "top: 0; left: 0;",
    );
  });
});

test("end tags that nothing ends take linear time", () => {
  const html = `<p>x</p>${"</b".repeat(170_000)}`;
  expect(inlineCss(html, "p { top: 0 }")).toContain('<p style="top: 0;">x</p>');
});

test("an element of any namespace is found by its name", () => {
  expect(inlineCss('<p title="*|i">x</p>', '*|p { top: 0 } [title="*|i"] { left: 0 }')).toBe(
    '<p style="top: 0; left: 0;" title="*|i">x</p>',
  );
});
