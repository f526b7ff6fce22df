import type { SmtpServerAddress } from "@posthorn/core";
import { afterEach, expect, test } from "vitest";
import { sampleMessage } from "../test/sample-message.ts";
import { type Script, startScriptedServer } from "../test/scripted-server.ts";
import { createSmtpMailer } from "./create-smtp-mailer.ts";
import type { SmtpMailerOptions } from "./smtp-mailer-options.ts";

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

function createMailer(options: Partial<SmtpMailerOptions> = {}) {
  const mailer = createSmtpMailer({ url: "smtp://127.0.0.1:1", allowPrivateServers: true, ...options });
  endings.push(mailer.close);
  return mailer;
}

async function start(script: Script = {}) {
  const server = await startScriptedServer(script);
  endings.push(server.close);
  return server;
}

const at = (port: number, over: Partial<SmtpServerAddress> = {}): SmtpServerAddress => ({
  id: "a",
  version: 1,
  host: "127.0.0.1",
  port,
  security: "none",
  ...over,
});
const login = { username: "ann", password: "sesame" };

test("what needs a login goes through no server without one, nor over a connection that was made without", async () => {
  const hasLogin = {
    extensions: ["AUTH PLAIN"],
    command: (line: string) => (/^AUTH/.test(line) ? "235 ok" : null),
  };
  const [open, closed] = [await start(), await start(hasLogin)];
  const mailer = createMailer();
  const send = (port: number, over: Partial<SmtpServerAddress>) =>
    mailer.send(sampleMessage({ server: at(port, { id: `${port}`, ...over }) }));
  const outcome = async (port: number, over: Partial<SmtpServerAddress>) => {
    const { recipients, held } = await send(port, over);
    return held === undefined ? recipients[0]?.outcome : [held.cause, held.reason];
  };
  const unoffered = ["settings", "the server offers no login"];
  expect(await outcome(open.port, login)).toBe("accepted");
  expect(await outcome(open.port, { ...login, needsLogin: true })).toEqual(unoffered);
  expect(await outcome(open.port, login)).toBe("accepted");
  expect(open.contents).toHaveLength(2);
  expect(await outcome(closed.port, {})).toBe("accepted");
  expect(await outcome(closed.port, { version: 2, needsLogin: true })).toEqual(unoffered);
  expect(await outcome(closed.port, { version: 3, ...login, needsLogin: true })).toBe("accepted");
  expect(closed.commands.filter((line) => /^(AUTH|MAIL)/.test(line)).map((line) => line.slice(0, 4))).toEqual(
    ["MAIL", "AUTH", "MAIL"],
  );
});
