import { expect, test } from "vitest";
import { ada, anonymous, openAccountWorldForEach, world } from "../../test/account-world.ts";
import { systemMails } from "./system-mails.ts";

openAccountWorldForEach();

test("a mail with a link has it as a button, and as an address to copy", async () => {
  await world.posthorn.accounts.register(ada, anonymous);
  await world.posthorn.drain();
  const { html = "", text = "" } = world.mailer.inbox.find({ subject: "Verify your e-mail address" }) ?? {};
  const [link = "none"] = /https?:\S+token=\S+/.exec(text) ?? [];
  expect(html).toContain(`<a href="${link}" style="display:inline-block;`);
  for (const part of [html, text]) expect(part).toContain("sent this e-mail to Ada@Example.com.");
  expect(html.replace(/<[^>]*>/g, " ")).toContain(` ${link} `);
});

test.each(Object.entries(systemMails))("%s fits a phone, and each paragraph begins a sentence", (_, mail) => {
  expect(mail.html).toContain('<meta name="viewport" content="width=device-width">');
  expect(mail.html).toContain("overflow-wrap:anywhere");
  for (const paragraph of mail.text.trim().split("\n\n")) expect(paragraph).toMatch(/^(?:[A-Z]|\{\{)/);
});
