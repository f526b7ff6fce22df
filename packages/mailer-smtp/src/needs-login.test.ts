import type { SmtpServerAddress } from "@posthorn/core";
import { expect, test } from "vitest";
import { named } from "../test/named-mails.ts";
import { start } from "../test/open-mailer.ts";
import { sampleMessage } from "../test/sample-message.ts";

const login = { username: "ann", password: "sesame" };

test("what needs a login goes through no server without one, nor over a connection that was made without", async () => {
  const hasLogin = {
    extensions: ["AUTH PLAIN"],
    command: (line: string) => (/^AUTH/.test(line) ? "235 ok" : null),
  };
  const { server: open, mailer } = await start({}, { allowPrivateServers: true });
  const { server: closed } = await start(hasLogin);
  const send = (port: number, over: Partial<SmtpServerAddress>) =>
    mailer.send(
      sampleMessage({
        server: { id: `${port}`, version: 1, host: "127.0.0.1", port, security: "none", ...over },
      }),
    );
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

test("what needs a login and what does not share a server's connections", async () => {
  const { server, mailer } = await start(
    { extensions: ["AUTH PLAIN"], command: (line) => (/^AUTH/.test(line) ? "235 ok" : null) },
    { allowPrivateServers: true },
  );
  const at = { id: "a", version: 1, host: "127.0.0.1", port: server.port, security: "none" } as const;
  for (const needsLogin of [false, true, false])
    await mailer.send(sampleMessage({ server: { ...at, ...login, connections: 1, needsLogin } }));
  expect([server.contents.length, server.sessions.length]).toEqual([3, 1]);
});

test("many that need a login which a server does not offer ask it once", async () => {
  const { server, mailer } = await start({}, { allowPrivateServers: true });
  const at = { id: "a", version: 1, host: "127.0.0.1", port: server.port, security: "none" } as const;
  const message = () => sampleMessage({ server: { ...at, ...login, needsLogin: true } });
  const results = await Promise.all(named(20).map(() => mailer.send(message())));
  expect(new Set(results.map(({ held }) => held?.cause))).toEqual(new Set(["settings"]));
  expect(server.sessions).toHaveLength(1);
});

test("a test warns of a login that is not offered where mail is sent without, and fails where it is not", async () => {
  const { server, mailer } = await start({}, { allowPrivateServers: true });
  const at = {
    id: "a",
    version: 1,
    host: "127.0.0.1",
    port: server.port,
    security: "none",
    ...login,
  } as const;
  const from = "a@shop.example";
  const sent = await mailer.probe?.(at, { from });
  expect(sent?.ok).toBe(true);
  expect(sent?.steps.slice(-2)).toMatchObject([
    { step: "auth", warning: "the server offers no login, so e-mails are sent without" },
    { step: "mail_from", code: 250 },
  ]);
  const needed = await mailer.probe?.({ ...at, needsLogin: true }, { from });
  expect(needed?.ok).toBe(false);
  expect(needed?.steps.at(-1)).toMatchObject({ step: "auth", error: "the server offers no login" });
});
