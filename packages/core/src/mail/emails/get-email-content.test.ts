import { expect, onTestFinished, test } from "vitest";
import { openTestSqlite } from "../../../../storage-sqlite/test/open-test-sqlite.ts";
import { createWorld } from "../../testing/index.ts";

async function openShop() {
  const world = await createWorld(await openTestSqlite());
  onTestFinished(() => world.close());
  const shop = await world.addWorkspace();
  const { emails, templates, stylesheets } = world.posthorn;
  await stylesheets.create({ name: "brand", css: "p { color: red }" }, shop.asOwner);
  await templates.create(
    {
      name: "welcome",
      subject: "Hi {{name}}",
      html: "<p>Dear {{name}}</p>",
      sampleData: { name: "Sam" },
    },
    shop.asOwner,
  );
  return { world, shop, emails, call: { workspaceId: shop.id } };
}

test("the content is what the recipient gets, before and after sending", async () => {
  const { world, shop, emails, call } = await openShop();
  const { id: emailId } = await emails.sendTemplate(
    {
      template: "welcome",
      to: ["Ada <ada@example.com>"],
      bcc: ["eve@example.com"],
      replyTo: "help@acme.example",
      headers: { "X-Order": "7" },
      templateData: { name: "Ada" },
    },
    call,
  );
  const before = await emails.getContent({ emailId }, shop.asOwner);
  expect(before).toMatchObject({
    to: [{ name: "Ada", address: "ada@example.com" }],
    cc: [],
    replyTo: [{ name: "", address: "help@acme.example" }],
    subject: "Hi Ada",
    headers: [{ name: "X-Order", value: "7" }],
    sender: undefined,
    calendar: undefined,
  });
  await world.posthorn.drain();
  const { html, text, messageId, date } = await world.mailer.inbox.waitFor({ to: "ada@example.com" });
  expect(await emails.getContent({ emailId }, shop.asOwner)).toEqual({
    ...before,
    html,
    text,
    messageId,
    date,
  });
  expect(html).toContain("Dear Ada");
});

test("a text without a template is returned unchanged", async () => {
  const { shop, emails, call } = await openShop();
  const { id: emailId } = await emails.send(
    { to: ["a@b.example"], subject: "S", text: "{{no}} template" },
    call,
  );
  expect(await emails.getContent({ emailId }, shop.asOwner)).toMatchObject({
    text: "{{no}} template",
    html: "",
  });
});

test("a sensitive e-mail is shown to nobody; another workspace's or a missing one is not found", async () => {
  const { world, shop, emails, call } = await openShop();
  const order = { to: ["a@b.example"], subject: "S", text: "secret", sensitive: true };
  const { id: emailId } = await emails.send(order, call);
  const other = await world.addWorkspace({ name: "Other" });
  await expect(emails.getContent({ emailId }, shop.asOwner)).rejects.toMatchObject({
    code: "content_unavailable",
  });
  await expect(emails.getContent({ emailId }, other.asOwner)).rejects.toMatchObject({ code: "not_found" });
  await expect(emails.getContent({ emailId: crypto.randomUUID() }, shop.asOwner)).rejects.toMatchObject({
    code: "not_found",
  });
  await world.posthorn.drain();
  await expect(emails.getContent({ emailId }, shop.asOwner)).rejects.toMatchObject({
    code: "content_unavailable",
  });
});
