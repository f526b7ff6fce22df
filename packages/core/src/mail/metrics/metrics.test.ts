import { expect, test } from "vitest";
import { openWorldForEach, workspace as shop, world } from "../../../test/world-for-each.ts";
import { acceptAll, answerAll } from "../../testing/memory-mailer.ts";

openWorldForEach();

const HOUR = 3_600_000;
const view = () => world.posthorn.workspace(shop.id);
const send = (...to: string[]) => view().emails.send({ to, subject: "Hi", text: "x" });

test("counts accepted, delivered, deferred, refused and suppressed recipients by hour and domain", async () => {
  await view().suppressions.create({ email: "gone@b.example" });
  await send("ada@a.example", "bob@B.example", "gone@b.example");
  await world.posthorn.drain();
  world.mailer.answerWith(answerAll("deferred", 451, "451 later"));
  await send("ada@a.example");
  await world.posthorn.drain();
  world.mailer.answerWith(answerAll("refused", 550, "550 5.1.1 no such user"));
  world.clock.advance(HOUR);
  await world.posthorn.drain();
  const { totals, series, domains } = await view().metrics.get({});
  expect(totals).toEqual({
    accepted: 3,
    delivered: 2,
    deferred: 1,
    bounced: 1,
    complained: 0,
    suppressed: 1,
  });
  expect(series.map(({ accepted, bounced }) => [accepted, bounced])).toEqual([
    [3, 0],
    [0, 1],
  ]);
  expect(domains.map(({ domain, accepted }) => [domain, accepted])).toEqual([
    ["a.example", 2],
    ["b.example", 1],
  ]);
  expect((await view().metrics.get({ by: "day" })).series).toHaveLength(1);
  const other = await world.addWorkspace();
  expect((await world.posthorn.workspace(other.id).metrics.get({})).totals.accepted).toBe(0);
});

test("a bounce of an e-mail that is tried again counts no longer, as in a campaign", async () => {
  const refuse = answerAll("refused", 554, "554 5.7.1 rejected by policy");
  world.mailer.answerWith(refuse);
  const { id: emailId } = await send("ada@a.example", "bob@b.example");
  await world.posthorn.drain();
  world.clock.advance(HOUR);
  world.mailer.answerWith((message) =>
    (message.envelope.to.includes("ada@a.example") ? acceptAll : refuse)(message),
  );
  await view().emails.retry({ emailId });
  await world.posthorn.drain();
  const { totals, domains } = await view().metrics.get({});
  expect(totals).toMatchObject({ accepted: 2, delivered: 2, bounced: 0 });
  expect(domains).toMatchObject([
    { domain: "a.example", accepted: 1, delivered: 1, bounced: 0 },
    { domain: "b.example", accepted: 1, delivered: 1, bounced: 0 },
  ]);
});

test("a period has limits", async () => {
  const at = (ms: number) => new Date(world.clock.now() + ms).toISOString();
  const refused = { code: "validation_failed" };
  await expect(view().metrics.get({ from: at(0), until: at(-1) })).rejects.toMatchObject(refused);
  await expect(view().metrics.get({ from: at(-100 * 24 * HOUR) })).rejects.toMatchObject(refused);
  // The day before its end would begin before the year 0, which answers can't name.
  const [from, until] = ["0000-01-01T00:00:00Z", "0000-01-01T06:00:00Z"];
  await expect(view().metrics.get({ until: from })).rejects.toMatchObject(refused);
  expect((await view().metrics.get({ until })).from).toBe(Date.parse(from));
});
