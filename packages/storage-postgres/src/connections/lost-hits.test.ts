import { createWorld } from "@posthorn/core/testing";
import { expect, test } from "vitest";
import { takeTestSchema, testPostgresUrl, unhurried } from "../../test/open-test-storage.ts";
import { createRecordingLogger } from "../../test/recording-logger.ts";
import { createTcpProxy } from "../../test/tcp-proxy.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";

test("hits whose commit lost its reply are counted once, and told once", async () => {
  const connectionString = await testPostgresUrl();
  const proxy = await createTcpProxy(connectionString);
  const { schema, giveBack } = await takeTestSchema();
  const through = { connectionString: proxy.urlFor(connectionString), schema, timeouts: unhurried };
  const errors: string[] = [];
  const logger = { ...createRecordingLogger(), error: (_: object, text: string) => void errors.push(text) };
  const world = await createWorld(await createPostgresStorage(through), { logger });
  const workspace = await world.addWorkspace();
  const { id: emailId } = await world.posthorn.emails.send(
    { to: ["ada@example.com"], subject: "Hi", html: "<p>Hi</p>", tracking: { opens: true } },
    { workspaceId: workspace.id },
  );
  await world.posthorn.drain();
  world.clock.advance(3_600_000);
  const [, image = ""] = /\/o\/([\w-]+)\.gif/.exec(world.mailer.inbox.all()[0]?.html ?? "") ?? [];
  const open = () =>
    world.posthorn.recordOpen(image, {
      ip: "192.0.2.7",
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0",
      isPrefetch: false,
    });
  open();
  // The event goes out together with the commit.
  proxy.cutAfter(/email\.opened/);
  await world.posthorn.drain();
  open();
  await world.posthorn.drain();
  const { recipients } = await world.posthorn.emails.get({ emailId }, { workspaceId: workspace.id });
  expect(recipients[0]?.opens).toMatchObject({ count: 2, humanCount: 2 });
  expect(errors).toContain("opens and clicks could not be written");
  const told = await world.storage.events.list(
    { workspaceId: workspace.id, type: "email.opened" },
    { offset: 0, limit: 9 },
  );
  expect(told.total).toBe(1);
  await world.close();
  await giveBack();
  proxy.close();
});
