import { expect, test } from "vitest";
import { deliver } from "../test/named-mails.ts";
import { start } from "../test/open-mailer.ts";
import { openPool } from "../test/open-pool.ts";
import { sampleMessage } from "../test/sample-message.ts";

test("why a server takes nothing names no recipient, though it is told of all messages and outlives them", async () => {
  const { mailer } = await start({
    command: (line, { socket }) => {
      const [, address] = /^RCPT TO:<([^>]*)>/.exec(line) ?? [];
      if (address === undefined) return null;
      socket.end(`421 4.7.1 <${address.toLowerCase()}>: Recipient address rejected: closing\r\n`);
      return undefined;
    },
  });
  const reasons: (string | undefined)[] = [];
  for (const name of ["Bob", "Eve"]) {
    const envelope = { from: "ann@example.org", to: [`${name}@example.net`] };
    const { held } = await mailer.send(sampleMessage({ envelope }));
    reasons.push(held?.reason);
  }
  expect(reasons).toEqual(Array(2).fill("421 4.7.1 <…>: Recipient address rejected: closing"));
});

test("what tenants read while a server takes nothing is whole, whatever its password: a gap would tell that", async () => {
  const { pool } = await openPool(
    { greeting: () => "421 4.3.2 no mail now" },
    { login: { username: "ann", password: "mail" } },
  );
  const { recipients, held } = await deliver(pool, "m");
  expect(recipients[0]?.reply).toBe("the mail server accepts no more mail at present");
  expect(held?.reason).toContain("no … now");
});

test("of a server that wants a login and offers none, both are told", async () => {
  const { pool } = await openPool(
    { command: (line) => (line.startsWith("MAIL") ? "530 5.7.0 Authentication required" : null) },
    { login: { username: "ann", password: "sesame" } },
  );
  const { held } = await deliver(pool, "m");
  expect(held?.reason).toBe("the server offers no login: 530 5.7.0 Authentication required");
});
