import { createCaptureMailer } from "@posthorn/mailer-smtp";
import { dkimVerify } from "mailauth/lib/dkim/verify.js";
import { expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { addVerified } from "../../test/sending-domain.ts";
import {
  get,
  host,
  minute,
  openWorldForEach,
  reopenWorld,
  send,
  workspace,
  world,
} from "../../test/world-for-each.ts";
import { createKeyPair } from "../domains/adapters/create-key-pair.ts";
import { createSecretBox } from "../rules/secret-box.ts";
import { answerAll, createWorld } from "../testing/index.ts";
import { worldSecretKey } from "../testing/world.ts";
import { createTrackingTokens } from "./rules/tracking-token.ts";

openWorldForEach();

const tokens = createTrackingTokens(createSecretBox(worldSecretKey).trackingKey);
/** Returns the links and images of the service in html, with what their tokens stand for. */
const tracked = (html = "") =>
  [...html.matchAll(/"(https?:[^"]*?)\/([co])\/([\w-]+)(?:\.gif)?"/g)].map(([, base, , token]) => ({
    base,
    url: undefined,
    ...(tokens.read(token ?? "") ?? { kind: "unknown", position: undefined }),
  }));
const received = async (to = "ada@example.com") => {
  await world.posthorn.drain();
  return world.mailer.inbox.find({ to });
};

const html = '<body><a href="https://a.example/?a=1&amp;b=2">A</a> <a href="https://b.example/">B</a></body>';
const both = { opens: true, clicks: true };
const base = "http://127.0.0.1:8080";

test("links lead to the service with their destination, and an image stands at the end of the body", async () => {
  await send({ html, tracking: both });
  const mail = await received();
  const row = expect.any(Number);
  expect(tracked(mail?.html)).toEqual([
    { base, row, position: 0, kind: "click", link: 0, url: "https://a.example/?a=1&b=2" },
    { base, row, position: 0, kind: "click", link: 1, url: "https://b.example/" },
    { base, row, position: 0, kind: "open", url: undefined },
  ]);
  expect(mail?.html).toMatch(/^<body><a href="[^"]+">A<\/a> <a href="[^"]+">B<\/a><img [^>]+><\/body>$/);
  expect(mail?.text).toBe("Hello");
});

test.each([
  ["opens", { opens: true }, ["open"]],
  ["clicks", { clicks: true }, ["click", "click"]],
  ["nothing", {}, []],
])("only %s", async (_, tracking, kinds) => {
  await send({ html, tracking });
  const mail = await received();
  expect(tracked(mail?.html).map(({ kind }) => kind)).toEqual(kinds);
  if (kinds.length === 0) expect(mail?.html).toBe(html);
});

test("mail without html stays as it is", async () => {
  await send({ tracking: both });
  expect(await received()).toMatchObject({ html: "", text: "Hello" });
});

test("recipients of one message share its tokens, which name none of them", async () => {
  await send({ html, to: ["ada@example.com", "bob@example.com"], tracking: both });
  expect(tracked((await received())?.html).map(({ position }) => position)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("templates: values in links, loops, styles that are inlined, and the unsubscribe link stays", async () => {
  await world.posthorn.templates.create(
    {
      name: "list",
      subject: "List",
      html: '<style>a { color: red }</style>{{#l}}<a href="https://a.example/{{.}}">{{.}}</a>{{/l}}<a href="{{unsubscribe_url}}">x</a>',
      text: "https://a.example/",
    },
    workspace.asOwner,
  );
  const mail = { template: "list", templateData: { l: ["one", "t&o"] }, unsubscribe: { list: "news" } };
  await world.posthorn.emails.sendTemplate({ ...mail, to: ["ada@example.com"], tracking: both }, host());
  await world.posthorn.emails.sendTemplate({ ...mail, to: ["bob@example.com"] }, host());
  const found = await received();
  expect(tracked(found?.html).map(({ url }) => url)).toEqual([
    "https://a.example/one",
    "https://a.example/t&o",
    undefined,
  ]);
  expect(found?.html).toContain('style="color: red;"');
  expect(found?.html).toContain(`href="${base}/u/`);
  expect(found?.text).toBe("https://a.example/");
  expect(tracked((await received("bob@example.com"))?.html)).toEqual([]);
});

test("a template that was sent untracked before is tracked, and the reverse", async () => {
  await world.posthorn.templates.create({ name: "t", subject: "T", html }, workspace.asOwner);
  const counts: number[] = [];
  for (const tracking of [undefined, both, undefined, both]) {
    world.mailer.inbox.clear();
    await world.posthorn.emails.sendTemplate(
      { template: "t", to: ["ada@example.com"], ...(tracking && { tracking }) },
      host(),
    );
    counts.push(tracked((await received())?.html).length);
  }
  expect(counts).toEqual([0, 3, 0, 3]);
});

test("every attempt sends the same", async () => {
  await world.posthorn.templates.create({ name: "t", subject: "T", html }, workspace.asOwner);
  const bodies: string[] = [];
  world.mailer.answerWith((message) => {
    bodies.push(message.html);
    return answerAll("deferred", 451, "451 later")(message);
  });
  await send({ html, tracking: both });
  await world.posthorn.emails.sendTemplate(
    { template: "t", to: ["bob@example.com"], tracking: both },
    host(),
  );
  await world.posthorn.drain();
  world.clock.advance(30 * minute);
  await world.posthorn.drain();
  expect(bodies).toHaveLength(4);
  expect(new Set(bodies).size).toBe(2);
});

test("the log shows the links as written", async () => {
  const { id } = await send({ html, tracking: both });
  await world.posthorn.drain();
  expect((await world.posthorn.emails.getContent({ emailId: id }, workspace.asOwner)).html).toBe(html);
  expect((await get(id)).status).toBe("sent");
});

test("a trap is hidden, has a number of its own, and comes only with tracked links", async () => {
  await world.posthorn.settings.update({ trackingTrap: true }, workspace.asOwner);
  await send({ html, tracking: { clicks: true } });
  const mail = await received();
  expect(tracked(mail?.html).at(-1)).toMatchObject({ kind: "click", link: 65_535, url: `${base}/` });
  expect(mail?.html).toMatch(/<a href="[^"]+" style="display:none"[^>]*><\/a><\/body>$/);
  await send({ html, to: ["bob@example.com"], tracking: { opens: true } });
  expect(tracked((await received("bob@example.com"))?.html).map(({ kind }) => kind)).toEqual(["open"]);
});

test("the sender's verified tracking host is used, with the base URL's scheme and path", async () => {
  await reopenWorld({ baseUrl: "https://mail.example/posthorn", trackingHost: "track.mail.example" });
  await addVerified("shop.example", { tracking: "tracking" });
  await send({ html, from: "ada@shop.example", tracking: both });
  await send({ html, to: ["bob@example.com"], tracking: both });
  const bases = async (to: string) => [
    ...new Set(tracked((await received(to))?.html).map((one) => one.base)),
  ];
  expect(await bases("ada@example.com")).toEqual(["https://tracking.shop.example/posthorn"]);
  expect(await bases("bob@example.com")).toEqual(["https://mail.example/posthorn"]);
});

test("a dry run warns of the base URL only where no tracking host replaces it", async () => {
  await reopenWorld({ baseUrl: "https://localhost", trackingHost: "track.mail.example" });
  await addVerified("shop.example", { tracking: "tracking" });
  const mail = { subject: "Hi", html, to: ["ada@example.com"], tracking: both };
  const warn = async (fields: object) =>
    (await world.posthorn.emails.dryRunSend({ ...mail, ...fields }, host())).warnings;
  expect(await warn({ from: "ada@shop.example" })).toEqual([]);
  expect(await warn({})).toMatchObject([
    { code: "tracking_base_url", details: { base_url: "https://localhost" } },
  ]);
});

test("a tracked e-mail with long URLs, signed, passes DKIM, and one of 8 KB stays as written", async () => {
  const mailer = createCaptureMailer();
  const signing = await createWorld(await openTestSqlite(), { mailer, createKeyPair });
  const shop = await signing.addWorkspace();
  const { id: domainId, records } = await signing.posthorn.domains.create(
    { name: "shop.example" },
    shop.asOwner,
  );
  for (const { name, value } of records) signing.dns.set(name, value);
  await signing.posthorn.domains.verify({ domainId }, shop.asOwner);
  const urls = [3_500, 8 * 1024].map((length) => `https://a.example/${"x".repeat(length - 18)}`);
  const long = urls.map((url) => `<a href="${url}">A</a>`).join("\n");
  await signing.posthorn.templates.create({ name: "t", subject: "T", html: long }, shop.asOwner);
  const mail = { from: "a@shop.example", to: ["x@y.example"], tracking: both };
  const call = { workspaceId: shop.id };
  await signing.posthorn.emails.send({ ...mail, subject: "Hi", html: long }, call);
  await signing.posthorn.emails.sendTemplate({ ...mail, template: "t" }, call);
  await signing.posthorn.drain();
  expect(mailer.list()).toHaveLength(2);
  for (const { id } of mailer.list()) {
    const captured = mailer.find(id);
    const resolver = async (name: string) => [[records.find((one) => one.name === name)?.value ?? ""]];
    const { results } = await dkimVerify(Buffer.from(captured?.source ?? "", "latin1"), { resolver });
    expect(results.map(({ status }) => status.result)).toEqual(["pass", "pass"]);
    expect(tracked(captured?.html)).toMatchObject([{ kind: "click", url: urls[0] }, { kind: "open" }]);
    expect(captured?.html).toContain(`"${urls[1]}"`);
  }
  await signing.close();
});
