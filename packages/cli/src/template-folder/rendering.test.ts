import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { placeholderProps } from "./placeholder-props.ts";
import { listSources, readFolder } from "./read-folder.ts";

/** Replacements for a project's packages, which are 105 MB: they render only what the tests check. */
const packages = {
  react: "export const createElement = (type, props) => ({ type, props });",
  "react/jsx-runtime": "export const jsx = (type, props) => ({ type, props }); export const jsxs = jsx;",
  "@react-email/render": `
    const show = (node) => Array.isArray(node) ? node.map(show).join("")
      : typeof node === "object" && node !== null
        ? typeof node.type === "function" ? show(node.type(node.props)) : "<" + node.type + ">" + show(node.props.children) + "</" + node.type + ">"
        : node === false || node === undefined || node === null ? "" : String(node);
    export const render = async (element) => show(element);`,
  mjml: 'export default async (source) => { if (source.includes("bad")) throw new Error("bad is not registered"); if (source.includes("stale")) throw Object.assign(new Error("ValidationError"), { errors: [{ line: 2, message: "stale is no tag" }] }); return { html: source.replaceAll("mj-text", "p") }; };',
};

function makeProject(
  files: Record<string, string>,
  names = Object.keys(packages) as (keyof typeof packages)[],
) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "posthorn-project-")));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const name of names) {
    const [, home = "", rest] = /^(@[^/]+\/[^/]+|[^/]+)(\/.*)?$/.exec(name) ?? [];
    write(`node_modules/${home}/${rest === undefined ? "index" : rest.slice(1)}.mjs`, packages[name]);
    const exports = { ".": "./index.mjs", "./jsx-runtime": "./jsx-runtime.mjs" };
    write(`node_modules/${home}/package.json`, JSON.stringify({ name: home, exports }));
  }
  mkdirSync(join(root, "node_modules"), { recursive: true });
  symlinkSync(
    resolve(import.meta.dirname, "../../../../node_modules/esbuild"),
    join(root, "node_modules/esbuild"),
  );
  for (const [file, text] of Object.entries(files)) write(`mail/${file}`, text);
  return { root, mail: join(root, "mail") };
}

const welcome = `
  import { Bold } from "./parts/bold";
  export const subject = "Welcome, {{name}}!";
  interface Props { name: string; order: { id: number }; isVip: boolean }
  export default function Welcome({ name, order, isVip }: Props) {
    return <p>Hello <Bold>{name}</Bold>, {isVip && <i>VIP</i>} {order.id}</p>;
  }
  Welcome.PreviewProps = { name: "Ada", order: { id: 7 }, isVip: true };
`;
const bold = "export const Bold = ({ children }: { children: string }) => <b>{children}</b>;";

test("renders components and MJML with the project's packages, and replaces sample values by placeholders", async () => {
  const { root, mail } = makeProject({
    "welcome.tsx": welcome,
    "parts/bold.tsx": bold,
    "news.mjml": "<mj-text>Hello {{name}}</mj-text>",
    "news.json": '{"subject": "News"}',
    "plain.txt": "Hello",
  });
  const { templates } = await readFolder(mail);
  expect(templates.get("welcome")).toEqual({
    html: "<p>Hello <b>{{name}}</b>, <i>VIP</i> {{order.id}}</p>",
    subject: "Welcome, {{name}}!",
    sampleData: { name: "Ada", order: { id: 7 }, isVip: true },
  });
  expect(templates.get("news")).toEqual({ html: "<p>Hello {{name}}</p>", subject: "News" });
  expect(templates.get("plain")).toEqual({ text: "Hello" });
  expect(readdirSync(join(root, "node_modules/.cache/posthorn"))).toEqual([]);
  expect(await listSources(mail)).toEqual(["news.mjml", "welcome.tsx"]);
  expect(await listSources(join(mail, "nowhere"))).toEqual([]);
});

test.each([
  [{ "a.tsx": welcome, "parts/bold.tsx": bold }, "needs the package react,", []],
  [{ "a.tsx": welcome, "parts/bold.tsx": bold }, "needs the package @react-email/render,", ["react"]],
  [{ "a.mjml": "<mj-text/>" }, "needs the package mjml,", ["react"]],
  [{ "a.mjml": "bad" }, "can't be rendered: bad is not registered", undefined],
  [{ "a.mjml": "<mj-text>\n  stale" }, "mail/a.mjml:2: stale is no tag", undefined],
  [{ "a.jsx": "export default () =>\n  <p" }, "mail/a.jsx:2: ", undefined],
  [{ "a.txt": "", "a.json": '{\n  "subject": "a",\n}' }, "mail/a.json:3 is not valid JSON", undefined],
  [
    { "a.txt": "", "a.json": '{"sample_data": {"order": 12345678901234567890}}' },
    "mail/a.json holds a number that is beyond",
    undefined,
  ],
  [{ "a.txt": "", "a.json": '{"subject":\n "a"' }, "mail/a.json:2 is not valid JSON", undefined],
  [
    { "a.txt": "", "a.json": '{\n  "subjet": "a"}' },
    'mail/a.json:2 has an invalid or unknown field "subjet"',
    undefined,
  ],
  [{ "a.jsx": "export const a = 1" }, "has no component as its default export", undefined],
  [
    { "a.jsx": 'export default () => {\n  throw new Error("no way");\n}' },
    "mail/a.jsx:2 can't be rendered: no way",
    undefined,
  ],
  [{ "a.mjml": "", "a.html": "" }, 'both have the html of "a"', undefined],
  [{ "a.mjml": "", "a.tsx": "" }, 'both have the html of "a"', undefined],
] as const)("%o: %s", async (files, message, names) => {
  const { mail } = makeProject(files, names && [...names]);
  await expect(readFolder(mail)).rejects.toMatchObject({
    failure: "usage",
    message: expect.stringContaining(message),
  });
});

test("refuses a list as placeholder, and says what to write instead", () => {
  const sample = { order: { items: [1] } };
  expect(() => placeholderProps(sample, { file: "a.tsx" })).toThrow("PreviewProps.order.items is a list");
});
