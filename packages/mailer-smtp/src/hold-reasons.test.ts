import { expect, test } from "vitest";
import { start } from "../test/open-mailer.ts";
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
