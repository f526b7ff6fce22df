import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPosthornServer } from "@posthorn/http";
import { expect, onTestFinished, test } from "vitest";
import { connectToServer } from "../src/program/connection/connect-to-server.ts";
import { addShop, openCommandWorld } from "./command-world.ts";
import { makeFolder } from "./run-command.ts";
import { openVerbWorld } from "./verb-world.ts";

const notification = (id: string): string =>
  [
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    `Original-Envelope-Id: ${id}`,
    "",
    "Final-Recipient: rfc822; grace@example.com",
    "Action: failed",
    "Diagnostic-Code: smtp; 550 5.1.1 No such user",
    "--b--",
  ].join("\r\n");

test("processes, lists and shows a bounce", async () => {
  const world = await openCommandWorld();
  const { workspace } = await addShop(world);
  const mail = { subject: "Hi", text: "Hello", to: ["grace@example.com"] };
  const { id } = await world.posthorn.emails.send(mail, { workspaceId: workspace.id });
  await world.posthorn.drain();
  writeFileSync(join(world.cwd, "bounce.eml"), notification(id));
  const fed = await world.json("inbound", "feed", "bounce.eml", "--workspace", "Shop");
  expect(fed).toMatchObject({
    report: {
      kind: "notification",
      email_id: id,
      effects: [{ category: "invalid_recipient", effect: "suppressed" }],
    },
  });
  const listed = await world.json<{ id: string }[]>("inbound", "--workspace", "Shop", "--email", id);
  expect(listed).toMatchObject([{ email_id: id, kind: "notification" }]);
  const shown = await world.json("inbound", "show", listed[0]?.id ?? "", "--workspace", "Shop");
  expect(shown).toMatchObject({ email_id: id, raw: notification(id) });
});

test("a profile with a key alone hands in a bounce, as a mail server's pipe does", async () => {
  const { run } = await openVerbWorld(async ({ posthorn, addWorkspace }) => {
    const server = createPosthornServer(posthorn);
    onTestFinished(() => server.stop({ timeoutMs: 0 }));
    const { asOwner } = await addWorkspace();
    const { key } = await posthorn.apiKeys.create({ name: "pipe" }, asOwner);
    return connectToServer("pipe", { url: (await server.listen(0)).url, api_key: key });
  });
  const file = join(makeFolder(), "bounce.eml");
  writeFileSync(file, notification("0198c1d2-7f3a-7000-8000-5f0e6a1b2c3d"));
  expect(await run("inbound", "feed", file)).toMatchObject([{ report: { kind: "notification" } }]);
  await expect(run("inbound", "feed", file, "--workspace", "4711")).rejects.toMatchObject({
    code: "not_a_member",
  });
  const mail = ["--to", "grace@example.com", "--subject", "Hi", "--text", "Hello", "--workspace", "4711"];
  await expect(run("emails", "send", ...mail)).rejects.toMatchObject({ code: "not_a_member" });
  await expect(run("emails", "list", "--workspace", "4711")).rejects.toMatchObject({ code: "not_a_member" });
});

test.each([
  [undefined, true],
  ["https://mail.shop.example", false],
])("an endpoint's URL at base URL %s: warns %s that no relay reaches it", async (baseUrl, warns) => {
  const { run, told } = await openVerbWorld(undefined, baseUrl === undefined ? {} : { baseUrl });
  await run("inbound-endpoints", "create", "generic");
  expect(told.some((text) => text.includes("No relay reaches this address"))).toBe(warns);
});
