import { expect, test } from "vitest";
import { openTestSqlite } from "../../../../../storage-sqlite/test/open-test-sqlite.ts";
import { joinParts } from "../../../content/rendering/text-parts.ts";
import type { Mailer, MailMessage } from "../../../ports/mailer.ts";
import { acceptAll, createWorld } from "../../../testing/index.ts";

test("a rendered body is handed over once and not kept, and is the same however often it is read", async () => {
  const messages: MailMessage[] = [];
  const mailer: Mailer = {
    ...{ concurrency: 1, verify: async () => undefined, close: async () => {} },
    send: async (message) => {
      messages.push(message);
      return acceptAll(message);
    },
  };
  const world = await createWorld(await openTestSqlite(), { mailer });
  const { id: workspaceId } = await world.addWorkspace();
  const template = { name: "hello", subject: "Hi", html: "<p>Hello {{name}}</p>", text: "Hello {{name}}" };
  await world.posthorn.templates.create(template, { workspaceId });
  const email = { template: "hello", to: ["ada@example.com"], templateData: { name: "Ada & Bob" } };
  await world.posthorn.emails.sendTemplate(email, { workspaceId });
  await world.posthorn.drain();
  const [message] = messages as [MailMessage];
  const [first, second] = [message.parts, message.parts];
  expect(first).toBeDefined();
  expect(second).not.toBe(first);
  expect(second).toEqual(first);
  const html = "<p>Hello Ada &amp; Bob</p>";
  expect(first?.html && joinParts(first.html)).toBe(html);
  expect([message.html, message.text]).toEqual([html, "Hello Ada & Bob"]);
  const { html: copied, text, parts } = { ...message };
  expect([copied, text, parts]).toEqual([html, "Hello Ada & Bob", first]);
  await world.close();
});
