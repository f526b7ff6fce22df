import { expect, test } from "vitest";
import { named, sendAll } from "../../../test/named-mails.ts";
import { openPool } from "../../../test/open-pool.ts";
import { statedLimit } from "./stated-limit.ts";

test("a server that states its limits is never asked for more", async () => {
  const { server, pool } = await openPool(
    { extensions: ["PIPELINING", "LIMITS MAILMAX=3 RCPTMAX=2"] },
    { connections: 1 },
  );
  const to = Array.from({ length: 5 }, (_, index) => `r${index}@example.net`);
  const told = await sendAll(pool, named(4), () => ({ to }));
  expect(new Set(told)).toEqual(new Set([to.map(() => "accepted 250").join(", ")]));
  const transactions = server.commands.join(" ").split("MAIL ").slice(1);
  const recipients = transactions.map((text) => text.split("RCPT ").length - 1);
  expect([Math.max(...recipients), recipients.length]).toEqual([2, 12]);
  expect(server.sessions.map(({ message }) => message)).toEqual([3, 3, 3, 3]);
});

test.each([
  ["RCPTMAX 20 MAILMAX 5", [20, 5]],
  ["RCPTDOMAINMAX 1 RCPTMAX 0", [Infinity, Infinity]],
  ["RCPTMAX", [Infinity, Infinity]],
])("the limits of %j are %j", (words, limits) => {
  const extensions = new Map([["LIMITS", words]]);
  expect([statedLimit(extensions, "RCPTMAX"), statedLimit(extensions, "MAILMAX")]).toEqual(limits);
});
