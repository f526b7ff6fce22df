import { expect, test } from "vitest";
import { openVerbWorld } from "../../../test/verb-world.ts";

test("a trial of a server that offers no login works, and warns", async () => {
  const { world, run } = await openVerbWorld();
  const warning = "the server offers no login, so e-mails are sent without";
  const steps = [{ step: "auth" as const, ms: 1, warning }];
  world.mailer.probe = async () => ({ ok: true, steps, extensions: [], maxSize: undefined });
  await run("smtp-servers", "create", "relay", "mail.shop.example");
  expect(await run("smtp-servers", "test", "relay")).toMatchObject([{ ok: true, steps: [{ warning }] }]);
});

test("a trial that fails as the port begins with TLS, or without it, says which security to choose", async () => {
  const { world, run } = await openVerbWorld();
  const failing = (step: "connect" | "greeting", error: string): void => {
    const steps = [{ step, ms: 1, error }];
    world.mailer.probe = async () => ({ ok: false, steps, extensions: [], maxSize: undefined });
  };
  await run("smtp-servers", "create", "relay", "mail.shop.example", "--smtp-port", "465");
  const hint = (words: string) => ({
    message: expect.stringContaining("relay fails at"),
    hint: expect.stringMatching(words),
  });

  failing("greeting", "no answer to the connection within 10000 ms");
  await expect(run("smtp-servers", "test", "relay")).rejects.toMatchObject(hint("--security tls"));
  failing("connect", "could not connect to mail.shop.example:465: timed out after 5000 ms");
  await expect(run("smtp-servers", "test", "relay")).rejects.toMatchObject({ hint: undefined });

  await run("smtp-servers", "update", "relay", "--security", "tls", "--smtp-port", "587");
  failing(
    "connect",
    "could not set up TLS with mail.shop.example:587: it answers in the clear (wrong version number)",
  );
  await expect(run("smtp-servers", "test", "relay")).rejects.toMatchObject(hint("--security starttls"));
  failing("greeting", "no answer to the connection within 10000 ms");
  await expect(run("smtp-servers", "test", "relay")).rejects.toMatchObject({ hint: undefined });
});
