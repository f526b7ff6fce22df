import { expect, expectTypeOf, test } from "vitest";
import { openTestSqlite } from "../../../storage-sqlite/test/open-test-sqlite.ts";
import type { Mailer } from "../ports/mailer.ts";
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
