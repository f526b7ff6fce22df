import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startScriptedServer } from "../../mailer-smtp/test/start-scripted-server.ts";
import { loadConfig } from "../src/program/settings/config.ts";
import { openService } from "../src/service/open-service.ts";
import { makeFolder } from "./run-command.ts";

// decisions §12
test("an untrusted workspace's mail reaches its own server after a login, and never the operator's or one without", async () => {
  const [operators, open] = [await startScriptedServer(), await startScriptedServer()];
  const own = await startScriptedServer({
    extensions: ["AUTH PLAIN"],
    command: (line) => (line.startsWith("AUTH") ? "235 2.7.0 ok" : null),
  });
  const { values } = loadConfig(
    { databaseUrl: `sqlite:${join(makeFolder(), "posthorn.db")}` },
    {
      SERVICE_SMTP_URL: operators.url,
      SERVICE_DEFAULT_SENDER: "mail@example.com",
      SERVICE_REGISTRATION: "open",
      SERVICE_WEBHOOK_ALLOW_PRIVATE: "true",
    },
  );
  const { posthorn, close } = await openService(values, { database: "make", mail: "deliver" });
  onTestFinished(close);
  const owner = await posthorn.users.create({
    name: "Ada",
    email: "ada@example.com",
    password: "correct horse battery",
  });
  const { id: workspaceId } = await posthorn.workspaces.createFor({ name: "Shop", userId: owner.id });
  await posthorn.workspaces.distrust({ workspaceId });
  const shop = posthorn.workspace(workspaceId);
  const add = (name: string, { port }: { port: number }) =>
    shop.smtpServers.create({
      ...{ name, host: "127.0.0.1", port, security: "none", fromDomains: [`${name}.example`] },
      ...{ username: "shop", password: "secret" },
    });
  const ownServer = await add("own", own);
  // It offers no login, as servers that receive mail for a domain don't: this service's address is all they judge by.
  const openServer = await add("open", open);
  const send = (name: string) =>
    shop.emails.send({ from: `a@${name}.example`, to: ["eve@else.example"], subject: name, text: "x" });
  await expect(send("operators")).rejects.toMatchObject({ code: "workspace_not_trusted" });
  const sent = await send("own");
  await send("open");
  await posthorn.drain();
  expect((await shop.emails.get({ emailId: sent.id })).status).toBe("sent");
  await expect
    .poll(async () => (await shop.smtpServers.get({ smtpServerId: openServer.id })).lastError)
    .toContain("offers no login");
  await shop.smtpServers.update({ smtpServerId: ownServer.id, isActive: false });
  await expect(send("own")).rejects.toMatchObject({ code: "workspace_not_trusted" });
  const mails = (server: { commands: string[] }) => server.commands.filter((line) => line.startsWith("MAIL"));
  expect([mails(operators), mails(open), mails(own)]).toEqual([[], [], ["MAIL FROM:<a@own.example>"]]);
  await posthorn.workspaces.trust({ workspaceId });
  await send("operators");
  await posthorn.drain();
  expect(mails(operators)).toHaveLength(1);
});
