import { describe, expect, test } from "vitest";
import { add, get, held, openServersForEach, send } from "../../../test/workspace-servers.ts";
import { hour, minute, workspace, world } from "../../../test/world-for-each.ts";
import type { MailMessage } from "../../ports/mailer.ts";
import { acceptAll, answerAll } from "../../testing/memory-mailer.ts";

openServersForEach();

const greylisted = answerAll("deferred", 450, "450 4.2.0 Greylisted");
const statusesOf = async (emails: { id: string }[]) =>
  await Promise.all(emails.map(async ({ id }) => (await get(id)).status));

async function deliverAfter(ms: number): Promise<void> {
  world.clock.advance(ms);
  await world.posthorn.drain();
}

describe("an e-mail that was not tried for more than 48 hours", () => {
  test("as its campaign was paused is tried again if it is deferred", async () => {
    const { campaigns } = world.posthorn.workspace(workspace.id);
    const { id: campaignId } = await campaigns.create({
      name: "Spring",
      subject: "Hi",
      text: "Hello",
      recipients: [{ to: "ada@example.com" }, { to: "bob@example.com" }],
      pace: { perSecond: 0.1 },
    });
    await campaigns.start({ campaignId });
    await world.posthorn.drain();
    await campaigns.pause({ campaignId });
    world.clock.advance(72 * hour);
    await campaigns.resume({ campaignId });
    world.mailer.answerWith(greylisted);
    await deliverAfter(minute);
    world.mailer.answerWith(acceptAll);
    await deliverAfter(hour);
    const { counts } = await campaigns.get({ campaignId });
    expect(counts).toMatchObject({ sent: 2, failed: 0, bounced: 0 });
  });

  test("as deliveries were paused is tried again if its server accepts nothing for the moment", async () => {
    await world.posthorn.queue.pause({});
    const emails = [await send("a"), await send("b")];
    world.clock.advance(72 * hour);
    await world.posthorn.queue.resume({});
    world.mailer.answerWith(held("limited"));
    await world.posthorn.drain();
    world.mailer.answerWith(acceptAll);
    await deliverAfter(hour);
    expect(await statusesOf(emails)).toEqual(["sent", "sent"]);
  });

  test("as its server has a pace waits for its turn", async () => {
    await add("slow", { maxPerHour: 1 });
    const emails = [await send("a"), await send("b"), await send("c")];
    await world.posthorn.drain();
    await deliverAfter(50 * hour);
    expect((await statusesOf(emails)).toSorted()).toEqual(["queued", "sent", "sent"]);
    await deliverAfter(hour);
    expect(await statusesOf(emails)).toEqual(["sent", "sent", "sent"]);
  });
});

describe("an e-mail during whose attempt the clock stepped by days, or the process stood still, is tried again", () => {
  const closed = { cause: "closed", reason: "the mailer is closed", retryAfterMs: 1_000 } as const;
  const takenBack = (mail: MailMessage) => ({ ...greylisted(mail), held: closed });
  test.each([
    ["if it is deferred", greylisted, 2],
    ["if its server accepts nothing for the moment", held("limited"), 2],
    ["if it was taken back", takenBack, 1],
  ])("%s", async (_, answer, attempts) => {
    let answered = 0;
    world.mailer.answerWith((mail) => {
      answered += 1;
      if (answered > 1) return acceptAll(mail);
      world.clock.advance(72 * hour);
      return answer(mail);
    });
    const { id } = await send("a");
    await world.posthorn.drain();
    await deliverAfter(hour);
    expect(await get(id)).toMatchObject({ status: "sent", attempts: { length: attempts } });
  });
});

describe("an e-mail that was deferred once is tried again after days", () => {
  test.each([
    [
      "of a paused queue",
      async () => {
        await world.posthorn.queue.pause({});
        world.clock.advance(72 * hour);
        await world.posthorn.queue.resume({});
      },
    ],
    ["by which the clock stepped", async () => world.clock.step(48 * hour)],
  ])("%s", async (_, pass) => {
    world.mailer.answerWith(greylisted);
    const { id } = await send("a");
    await world.posthorn.drain();
    await pass();
    await deliverAfter(minute + minute);
    expect((await get(id)).status).toBe("queued");
    for (let n = 0; n < 34; n += 1) await deliverAfter(hour);
    expect((await get(id)).status).toBe("queued");
    for (let n = 0; n < 4; n += 1) await deliverAfter(hour);
    expect((await get(id)).status).toBe("failed");
  });
});

test("an e-mail that failed is tried for 48 hours each time it is queued again", async () => {
  world.mailer.answerWith(greylisted);
  const { id } = await send("a");
  const tryFor = async (hours: number) => {
    for (let n = 0; n < hours; n += 1) await deliverAfter(hour);
    return (await get(id)).status;
  };
  expect(await tryFor(50)).toBe("failed");
  for (let times = 0; times < 2; times += 1) {
    await world.posthorn.workspace(workspace.id).emails.retry({ emailId: id });
    expect(await tryFor(46)).toBe("queued");
    expect(await tryFor(4)).toBe("failed");
  }
});

test("an e-mail that failed after two days, and is queued again, is deferred by a minute first, as at its beginning", async () => {
  world.mailer.answerWith(greylisted);
  const { id } = await send("a");
  for (let n = 0; n < 50; n += 1) await deliverAfter(hour);
  const { attempts } = await get(id);
  await world.posthorn.workspace(workspace.id).emails.retry({ emailId: id });
  for (const pause of [0, 2 * minute, 3 * minute]) await deliverAfter(pause);
  expect((await get(id)).attempts.length - attempts.length).toBe(3);
});
