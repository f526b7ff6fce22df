import { StorageUnavailable } from "@posthorn/core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import { startServer, type TestServer } from "../../test/start-server.ts";
import type { WireRequest } from "../contract/wire-request.ts";
import { createDispatcher, type Dispatcher } from "../server/dispatch.ts";

let server: TestServer;
let dispatcher: Dispatcher;
let workspace: number;
let path: string;
/** Makes the storage unavailable. */
let isDown = false;

beforeAll(async () => {
  server = await startServer({}, async () => {
    const storage = await openTestSqlite();
    const { transaction, workspaces } = storage;
    const unlessDown = <T>(call: () => Promise<T>) =>
      isDown ? Promise.reject(new StorageUnavailable("away")) : call();
    return {
      ...storage,
      workspaces: { ...workspaces, find: (id) => unlessDown(() => workspaces.find(id)) },
      transaction: (work) => unlessDown(() => transaction(work)),
    };
  });
  dispatcher = createDispatcher(server.world.posthorn);
  workspace = (await server.world.addWorkspace()).id;
});
afterAll(() => server.close());

const verbs = () => server.world.posthorn.workspace(workspace);
let count = 0;
beforeEach(async () => {
  count += 1;
  await verbs().emails.send({
    subject: "News",
    text: "x",
    to: [`ada${count}@example.com`],
    unsubscribe: { list: "news" },
  });
  await server.world.posthorn.drain();
  const mail = server.world.mailer.inbox.find({ to: `ada${count}@example.com` });
  const link = mail?.headers.find(({ name }) => name === "List-Unsubscribe")?.value ?? "";
  path = new URL(link.slice(1, -1)).pathname;
});

const form = (text: string, type = "application/x-www-form-urlencoded") =>
  fetch(`${server.url}${path}`, { method: "POST", body: text, headers: { "content-type": type } });
const isSuppressed = async () =>
  (await verbs().suppressions.check({ emails: [`ada${count}@example.com`], scope: "news" }))[0]?.suppressed;

test("the link opens a page with one button that needs no script, and forbids caching and referrers", async () => {
  const answer = await fetch(`${server.url}${path}`);
  const html = await answer.text();
  expect(answer.status).toBe(200);
  expect(html).toContain(`<strong>ada${count}@example.com</strong>`);
  expect(html.match(/<button/g)).toHaveLength(1);
  expect(html).toContain('<form method="post"><button name="confirm" value="1">Unsubscribe</button></form>');
  expect(html).not.toContain("<script");
  // Recipients know the sender, not the service that sends its mail.
  expect(html).not.toMatch(/<svg|Posthorn/);
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(answer.headers.get("set-cookie")).toBeNull();
});

test("an address at an international domain is shown as its owner writes it", async () => {
  const to = "ada@xn--mller-kva.example";
  await verbs().emails.send({ subject: "S", text: "x", to: [to], unsubscribe: { list: "news" } });
  await server.world.posthorn.drain();
  const mail = server.world.mailer.inbox.find({ to });
  const link = mail?.headers.find(({ name }) => name === "List-Unsubscribe")?.value ?? "";
  const page = await fetch(`${server.url}${new URL(link.slice(1, -1)).pathname}`);
  expect(await page.text()).toContain("<strong>ada@müller.example</strong>");
});

test("opening it a thousand times, as scanners do, changes nothing", async () => {
  const { storage } = server.world;
  const states = async () => [
    (await storage.events.list({ workspaceId: "all" }, { offset: 0, limit: 1 })).total,
    (await verbs().suppressions.list()).total,
  ];
  const before = await states();
  for (let round = 0; round < 1_000; round += 100)
    await Promise.all(
      Array.from({ length: 100 }, (_, index) =>
        dispatcher.dispatch({
          method: index % 2 === 0 ? "GET" : "HEAD",
          target: path,
          headers: {},
          repeatedAuthorization: false,
          ip: "127.0.0.1",
          readBody: async () => new Uint8Array(),
          openBody: async function* () {},
        } as WireRequest),
      ),
    );
  expect(await states()).toEqual(before);
});

test.each([
  ["a reader's program, urlencoded", "List-Unsubscribe=One-Click", "application/x-www-form-urlencoded"],
  [
    "a reader's program, multipart",
    '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n',
    "multipart/form-data; boundary=b",
  ],
  ["nothing at all", "", "text/plain"],
])("one request of %s unsubscribes, and is answered in plain text", async (_, body, type) => {
  const answer = await form(body, type);
  expect([answer.status, answer.headers.get("content-type"), answer.redirected]).toEqual([
    200,
    "text/plain; charset=utf-8",
    false,
  ]);
  expect(await answer.text()).toBe("You are unsubscribed.\n");
  expect(answer.headers.get("referrer-policy")).toBe("no-referrer");
  expect(await isSuppressed()).toBe(true);
});

test("the page's button unsubscribes, and its undo button reverts it", async () => {
  expect(await (await form("confirm=1")).text()).toContain(
    '<button name="undo" value="1" class="plain">Undo</button>',
  );
  expect(await isSuppressed()).toBe(true);
  expect(await (await form("undo=1")).text()).toContain("You are subscribed again");
  expect(await isSuppressed()).toBe(false);
});

test("an invalid link is answered to programs like a valid one, and to people as incomplete", async () => {
  path = `${path.slice(0, 30)}${path[30] === "A" ? "B" : "A"}${path.slice(31)}`;
  const answer = await form("List-Unsubscribe=One-Click");
  expect([answer.status, await answer.text()]).toEqual([200, "You are unsubscribed.\n"]);
  const page = await fetch(`${server.url}${path}`);
  expect([page.status, await page.text()]).toEqual([404, expect.stringContaining("This link is incomplete")]);
  path = `/u/${"x".repeat(5_000)}`;
  expect((await form("")).status).toBe(200);
});

test("a body of more than 4 KiB is refused, and programs and people are told to retry if the storage is away", async () => {
  expect((await form("x".repeat(4_097))).status).toBe(413);
  isDown = true;
  const answer = await form("List-Unsubscribe=One-Click");
  const page = await fetch(`${server.url}${path}`);
  isDown = false;
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "1"]);
  expect([page.status, page.headers.get("retry-after")]).toEqual([503, "1"]);
  const html = await page.text();
  expect(html).toContain("<h1>Temporarily unavailable</h1>");
  expect(html).not.toMatch(/<svg|Posthorn/);
  expect(await isSuppressed()).toBe(false);
});
