import { expect, expectTypeOf, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { Storage } from "../ports/storage.ts";
import type { Posthorn } from "../service/service.ts";
import {
  acceptAll,
  createFixedClock,
  createMemoryHttpSender,
  createMemoryMailer,
  createWorld,
} from "./index.ts";

const openStorage = () => openTestSqlite();

test("a world returns what it was given, and the service uses it", async () => {
  const given = {
    clock: createFixedClock(),
    mailer: createMemoryMailer(),
    httpSender: createMemoryHttpSender(),
  };
  const world = await createWorld(await openStorage(), given);
  expect([world.clock, world.mailer, world.http]).toEqual([given.clock, given.mailer, given.httpSender]);
  expect(world.mailer).toBe(given.mailer);
  const { id: workspaceId } = await world.addWorkspace();
  await world.posthorn.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] }, { workspaceId });
  await world.posthorn.drain();
  expect(given.mailer.inbox.find({ subject: "Hi" })).toBeDefined();
  await world.close();
});

test("a storage that nobody awaited is named", async () => {
  await expect(createWorld(openStorage() as never)).rejects.toThrow(/^storage is a promise: await /);
});

test("a mailer of another kind keeps its own type", async () => {
  const sent: string[] = [];
  const mailer = {
    concurrency: 1,
    sent,
    send: async (message) => {
      sent.push(message.subject);
      return acceptAll(message);
    },
    verify: async () => undefined,
    close: async () => {},
  } satisfies Mailer & { sent: string[] };
  const world = await createWorld(await openStorage(), { mailer });
  expectTypeOf(world.mailer).toEqualTypeOf(mailer);
  const { id: workspaceId } = await world.addWorkspace();
  await world.posthorn.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] }, { workspaceId });
  await world.posthorn.drain();
  expect(world.mailer.sent).toEqual(["Hi"]);
  await world.close();
});

test("a world with one workspace is typed as such, and code that takes the service of one tenant takes it", async () => {
  const storage = await openStorage();
  const { posthorn, close } = await createWorld(storage, { workspace: { name: "Shop" }, logger: undefined });
  const tenant: Posthorn<typeof storage extends Storage<infer Tx> ? Tx : never, "workspace"> = posthorn;
  const { id } = await tenant.emails.send({ subject: "Hi", text: "x", to: ["ada@example.com"] });
  await tenant.drain();
  expect(await tenant.emails.get({ emailId: id })).toMatchObject({ status: "sent" });
  await close();
});

test("a memory mailer's options are checked as any mailer's are", () => {
  expect(() => createMemoryMailer(null as never)).toThrow("createMemoryMailer takes an object");
  expect(() => createMemoryMailer({ concurrency: 0 })).toThrow("concurrency must be a whole number from 1");
});

test("a fixed clock is set to any form of a time, and to nothing else", () => {
  const time = "2031-02-03T04:05:06.000Z";
  expect(createFixedClock(new Date(time)).now()).toBe(Date.parse(time));
  const clock = createFixedClock(time);
  clock.set(new Date(0));
  expect(clock.now()).toBe(0);
  for (const wrong of ["tomorrow", Number.NaN, undefined as never, new Date("tomorrow")])
    expect(() => clock.set(wrong)).toThrow(
      "a clock is set to a Date, ms since the epoch or an ISO 8601 time",
    );
  expect(clock.now()).toBe(0);
});
