import { describe, expect, test } from "vitest";
import { inlineCss } from "./inline-css.ts";

describe("the cascade", () => {
  test("counts a pseudo-class as much as a class", () => {
    const html = '<i>x</i><p class="a">y</p>';
    expect(inlineCss(html, "p:nth-child(2) { top: 1px } p { top: 2px }")).toContain('style="top: 1px;"');
    expect(inlineCss(html, ":last-child { top: 1px } p { top: 2px }")).toContain('style="top: 1px;"');
    expect(inlineCss(html, "p:last-child { top: 1px } p.a { top: 2px }")).toContain('style="top: 2px;"');
    expect(inlineCss(html, ":last-child { top: 1px } i ~ p { top: 2px }")).toContain('style="top: 1px;"');
  });

  test("leaves a pseudo-class in the style element, where it overrides nothing that is inlined", () => {
    const css = "p:first-child { top: 1px !important } .a { top: 2px !important }";
    expect(inlineCss("<p class=a>x", css)).toBe(
      '<style>\np:first-child { top: 1px }\n</style><p style="top: 1px;" class=a>x',
    );
    expect(inlineCss("<p class=a>x", css.replace("p:", ":"))).toContain('style="top: 2px;"');
    expect(inlineCss("{{#b}}<p class=a>x{{/b}}", css)).toContain("p:first-child { top: 1px !important }");
  });

  test("inlines what a class, an attribute or a place excludes, as the grids of frameworks do", () => {
    const excluding = ":not([class*=offset], .Row):not(:last-child)";
    const css = `td.large${excluding} { top: 1px !important } td.large { top: 2px }`;
    expect(inlineCss('<table><tbody><tr><td class="large">x<td class="large">y', css)).toBe(
      `<style>\ntd.large${excluding} { top: 1px !important }\n</style><table><tbody><tr>` +
        '<td style="top: 1px;" class="large">x<td style="top: 2px;" class="large">y',
    );
    expect(inlineCss('<p class="row">x<p class="Row">x', "p:not(.Row) { top: 0 }")).toContain(
      '<p style="top: 0;" class="row">x<p class="Row">',
    );
  });

  test("but only two hundred of them, as each may mark all elements", () => {
    const css = Array.from(
      { length: 201 },
      (_, index) => `b:not(.c${index}) { --${index}: 0; top: ${index}px }`,
    );
    const html = inlineCss("<b>x</b>", css.join("\n"));
    expect(html).toContain('<b style="top: 199px;">');
    expect(html).toContain("b:not(.c200) { --200: 0; top: 200px }");
  });

  test("but not what is excluded otherwise, or by what values decide", () => {
    for (const html of ['<b class="{{c}}">x</b>', '<b {{#c}}class="a"{{/c}}>x</b>', "<b {{{c}}}>x</b>"])
      expect(inlineCss(html, "b:not(.a) { top: 0 }")).toBe(`<style>\nb:not(.a) { top: 0 }\n</style>${html}`);
    for (const selector of ["b:not(:hover)", "b:not(.a:hover)", "b:is(:has(i), b)", "b:where(:unknown, b)"])
      expect(inlineCss("<b>x</b>", `${selector} { top: 0 }`)).toContain("</style><b>");
    const row = "{{#rows}}<b>x</b>{{/rows}}";
    expect(inlineCss(row, "b:not(.a) { top: 0 }")).toContain('<b style="top: 0;">');
    expect(inlineCss(row, "b:not(:first-child) { top: 0 }")).toContain("<b>");
  });

  test("inlines what holds selectors, which counts as much as the highest of them, or nothing", () => {
    const html = '<div class="prose"><h1 id="h">x</h1><div class="off"><h1>y</h1></div></div>';
    const typography =
      'h1 { top: 1px } .prose :where(h1):not(:where([class~="off"], [class~="off"] *)) { top: 2px }';
    expect(inlineCss(html, typography)).toContain('<h1 style="top: 2px;" id="h">');
    expect(inlineCss(html, typography)).toContain('<h1 style="top: 1px;">');
    const topOf = (css: string) => /<h1 style="top: (.*?)px;" id/.exec(inlineCss(html, css))?.[1];
    expect(topOf("h1 { top: 1px } :where(#h, .prose > h1) { top: 2px }")).toBe("1");
    expect(topOf(":is(#h, p) { top: 1px } .prose h1 { top: 2px }")).toBe("1");
    expect(topOf(":not(.a .b, p) { top: 1px } .prose h1 { top: 2px }")).toBe("1");
    expect(topOf(":not(.a, p) { top: 1px } .prose h1 { top: 2px }")).toBe("2");
    expect(topOf("h1:IS(:where(#h):first-child, :not(p i)) { top: 1px } .prose h1 { top: 2px }")).toBe("2");
    expect(topOf("h1:is(:where(#h):first-child, :not(p i)) { top: 1px } h1 { top: 2px }")).toBe("1");
    expect(topOf("h1:not(#H):is([title='a)'], .\\:is\\(, *) { top: 1px } h1 { top: 2px }")).toBe("1");
  });

  test("but not where values decide what the selectors in it ask for", () => {
    const inlined = (html: string, selector: string) =>
      inlineCss(html, `${selector} { top: 0 }`).includes("style=");
    expect(inlined("<i></i>{{#r}}<b>x</b>{{/r}}", "b:is(p, b)")).toBe(true);
    expect(inlined("<p>{{#r}}<b>x</b>{{/r}}</p>", "b:where(p b)")).toBe(true);
    expect(inlined("<i></i>{{#r}}<b>x</b>{{/r}}", "b:is(i + b)")).toBe(false);
    expect(inlined("<i></i>{{#r}}<b>x</b>{{/r}}", "b:not(p:first-child > b)")).toBe(false);
    expect(inlined("{{#r}}<p>{{/r}}<b>x</b>{{#r}}</p>{{/r}}", "b:is(p b)")).toBe(false);
    expect(inlined('<b class="{{c}}">x</b>', "b:is(.a, b)")).toBe(false);
  });

  test("keeps together what targets some mail programs, because others drop a list with a pseudo-class that they don't know", () => {
    const css = "_:-webkit-full-screen, :root .mac { display: block }";
    expect(inlineCss('<p class="mac">x', `.mac { display: none } ${css}`)).toBe(
      `<style>\n${css}\n</style><p style="display: none;" class="mac">x`,
    );
  });

  test("takes names of properties in any case", () => {
    expect(inlineCss("<p>x", "p { COLOR: red } p { color: blue }")).toBe('<p style="color: blue;">x');
  });

  test("keeps what is important above a style with placeholders, and above rules in a style element", () => {
    expect(inlineCss('<p style="color: {{c}}">x', "p { color: red !important; top: 0 }")).toBe(
      '<p style="top: 0; color: red !important; color: {{c}}">x',
    );
    expect(inlineCss('<p style="color: blue !important">x', "p { color: red !important; top: 0 }")).toBe(
      '<p style="top: 0; color: blue !important;">x',
    );
    // Elsewhere, media queries are to override it.
    expect(inlineCss("<p>x", "p { color: red !important }")).toBe('<p style="color: red;">x');
  });

  test("lets media queries change what an element's own style leaves alone, however important it is", () => {
    const css =
      ".l { display: none !important; margin: 0 !important; font-size: 0 !important } @media print { .l { display: block !important } }";
    const important = (own: string, attribute = `style="${own}"`) =>
      /style="(.*?)"/
        .exec(inlineCss(`<p class=l ${attribute}>x`, css))?.[1]
        ?.split(";")
        .filter((part) => /^ ?(display|margin|font-size):.*!important/.test(part))
        .map((part) => part.split(":")[0]?.trim())
        .join();
    for (const own of [
      "background: {{c}}",
      "background: url(a?b&amp;c:d)",
      "mso-hide: all !important",
      "*zoom: 1",
    ])
      expect(important(own)).toBe("");
    for (const own of [
      "margin-top: {{c}}",
      "top: 0; margin: {{c}}",
      "top: {{#c}}1{{/c}}0; {{#d}}margin: 0{{/d}}",
    ])
      expect(important(own)).toBe("margin");
    expect(important("line-height: {{c}}; --display: {{d}}")).toBe("font-size");
    expect(important("", '{{#c}}style="margin-left: 1px"{{/c}}')).toBe("margin");
    for (const own of ["{{c}}", "{{c}}: 0", "top: 0{{#c}}margin: 0{{/c}}", "all: {{c}}", "/* */ top: {{c}}"])
      expect(important(own)).toBe("display,margin,font-size");
  });

  test("keeps what is important before an own style that sets it by its other name", () => {
    for (const [name, other] of [
      ["word-wrap", "overflow-wrap"],
      ["page-break-after", "break-after"],
    ] as const)
      for (const [own, inlined] of [
        [name, other],
        [other, name],
      ])
        expect(inlineCss(`<p style="${own}: {{x}}">x`, `p { ${inlined}: inherit !important }`)).toBe(
          `<p style="${inlined}: inherit !important; ${own}: {{x}}">x`,
        );
  });

  test("inlines names with escaped characters", () => {
    expect(inlineCss('<p class="w:a">x', ".w\\:a { top: 0 }")).toBe('<p style="top: 0;" class="w:a">x');
  });

  test("compares attributes as they read, not as they are written", () => {
    const link = `<a href='?a=1&amp;b="2"&copy=3' style="left: 0; x: &quot;&quot;">x</a>`;
    expect(inlineCss(link, `[href='?a=1&b="2"&copy=3'] { top: 0 } [href*=amp] { right: 0 }`)).toBe(
      link.replace("left", "top: 0; left"),
    );
    expect(inlineCss('<b class="a&#32;b">x</b>', ".b { top: 0 }")).toContain('<b style="top: 0;"');
  });

  test("resolves the root's variables, also in html without a root", () => {
    const css = ":root { --c: red }\n:root .a { color: var(--c) }";
    expect(inlineCss("<p class=a>x", css)).toBe(`<style>\n${css}\n</style><p style="color: red;" class=a>x`);
    expect(inlineCss("<html><p class=a>x", css)).toContain('<p style="color: red;" class=a>x');
    expect(inlineCss("<p class=a>x", "p:not(:root) { top: 0 } :root > p { left: 0 }")).toContain(
      '<p style="top: 0;" class=a>x',
    );
  });
});
