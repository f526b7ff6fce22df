import { describe, expect, test } from "vitest";
import { after, iso } from "../../../test/send-options.ts";
import {
  database,
  day,
  eventsOf,
  get,
  host,
  hour,
  minute,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { answerAll } from "../../testing/index.ts";

openDatabaseForEach();

describe("rescheduling and cancelling", () => {
  const reschedule = (emailId: string, scheduledAt: string | number | null) =>
    world.posthorn.emails.reschedule({ emailId, scheduledAt }, host());

  test("a waiting e-mail is sent at another time, or now", async () => {
    const { id } = await send({ scheduledAt: after(day) });
    const moved = await reschedule(id, after(2 * day));
    expect([moved.status, iso(moved.scheduledAt)]).toEqual(["scheduled", after(2 * day)]);
    // The same time changes nothing, and is no event.
    expect(iso((await reschedule(id, after(2 * day))).scheduledAt)).toBe(after(2 * day));
    expect(await eventsOf("email.rescheduled")).toEqual([
      { email_id: id, from: after(day), to: after(2 * day) },
    ]);
    world.clock.advance(day + hour);
    expect(await world.posthorn.drain()).toBe(0);
    expect((await reschedule(id, null)).status).toBe("queued");
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("sent");
    await expect(reschedule(id, null)).rejects.toMatchObject({
      code: "not_cancellable",
      message: expect.stringMatching(/this one is \w+\.$/),
    });
  });

  test("an e-mail is read though the event of its rescheduling is damaged", async () => {
    const { id } = await send({ scheduledAt: after(day) });
    await reschedule(id, after(2 * day));
    database.exec("update posthorn_events set metadata = '{' where type = 'email.rescheduled'");
    const { timeline } = await get(id);
    expect(timeline.map(({ type }) => type)).toEqual(["accepted", "rescheduled", "waiting"]);
  });

  test("a time in seconds is refused, as the e-mail would go at once", async () => {
    const { id, scheduledAt } = await send({ scheduledAt: after(day) });
    await expect(reschedule(id, Math.floor((world.clock.now() + 2 * day) / 1000))).rejects.toMatchObject({
      details: [{ path: "scheduledAt", message: expect.stringContaining("in seconds") }],
    });
    expect((await get(id)).scheduledAt).toBe(scheduledAt);
  });

  test("a time needs an offset; a local time or a time zone's name is refused", async () => {
    const at = new Date(world.clock.now() + 10 * day);
    const day10 = at.toISOString().slice(0, 10);
    const { id, scheduledAt } = await send({ scheduledAt: `${day10}T02:30:00+02:00` });
    expect(iso(scheduledAt)).toBe(`${day10}T00:30:00.000Z`);
    expect(iso((await reschedule(id, `${day10}T02:30:00+01:00`)).scheduledAt)).toBe(`${day10}T01:30:00.000Z`);
    for (const vague of [`${day10}T02:30:00`, `${day10}T02:30:00[Europe/Berlin]`, `${day10} 02:30 CET`])
      await expect(reschedule(id, vague)).rejects.toMatchObject({
        code: "validation_failed",
        details: [{ path: "scheduledAt" }],
      });
  });

  test("an e-mail that waited for weeks is tried for 48 hours from its sending", async () => {
    const { id } = await send({ scheduledAt: after(20 * day) });
    world.clock.advance(19 * day);
    await reschedule(id, null);
    world.mailer.answerWith(answerAll("deferred", 450, "450 later"));
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("queued");
  });

  test("an e-mail rescheduled after an attempt keeps its Date, as a second copy of it must be the same", async () => {
    const dates: number[] = [];
    world.mailer.answerWith((message) => {
      dates.push(message.date);
      return { ...answerAll("deferred", 450, "no answer")(message), inDoubt: true };
    });
    const first = after(hour);
    const [{ id }, later] = [await send(), await send({ scheduledAt: after(day) })];
    const accepted = world.clock.now();
    await reschedule(later.id, first);
    await world.posthorn.drain();
    world.clock.advance(hour);
    for (const emailId of [id, later.id]) await reschedule(emailId, null);
    await world.posthorn.drain();
    for (const emailId of [id, later.id, id]) await reschedule(emailId, after(2 * hour));
    world.clock.advance(2 * hour);
    await world.posthorn.drain();
    expect(dates.toSorted()).toEqual([...Array(3).fill(accepted), ...Array(2).fill(Date.parse(first))]);
    const contents = world.posthorn.emails.getContent({ emailId: id }, workspace.asOwner);
    expect(await contents).toMatchObject({ date: accepted });
    expect(iso((await get(id)).scheduledAt)).toBe(after(0));
  });

  test("an e-mail rescheduled after an attempt keeps its new time when a clock that was ahead is set back", async () => {
    world.mailer.answerWith(answerAll("deferred", 450, "450 later"));
    const { id } = await send();
    await world.posthorn.drain();
    await reschedule(id, after(day));
    world.mailer.answerWith();
    world.clock.step(-hour);
    world.clock.advance(minute);
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("scheduled");
    world.clock.advance(day + hour);
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("sent");
  });

  test("refuses times beyond its deadline, and more than 30 days ahead", async () => {
    const { id } = await send({ deliverBefore: after(2 * hour) });
    await expect(reschedule(id, after(2 * hour))).rejects.toMatchObject({ code: "deadline_passed" });
    await expect(reschedule(id, after(31 * day))).rejects.toMatchObject({
      details: [{ path: "scheduledAt", message: "is more than 30 days ahead" }],
    });
    expect(iso((await reschedule(id, after(hour))).scheduledAt)).toBe(after(hour));
  });

  test("an e-mail that a mail server may have accepted can't be cancelled", async () => {
    world.mailer.answerWith((message) => ({
      ...answerAll("deferred", 450, "no answer")(message),
      inDoubt: true,
    }));
    const { id } = await send();
    await world.posthorn.drain();
    await expect(world.posthorn.emails.cancel({ emailId: id }, host())).rejects.toMatchObject({
      code: "not_cancellable",
      message: expect.stringContaining("may already have accepted it"),
    });
    expect((await get(id)).status).toBe("queued");
  });

  test("an e-mail that some recipients got is partially sent once the rest is cancelled, and tells of that", async () => {
    world.mailer.answerWith(({ envelope }) => ({
      inDoubt: false,
      recipients: envelope.to.map((address) =>
        address.startsWith("ada")
          ? { address, outcome: "accepted", code: 250, reply: "250 ok" }
          : { address, outcome: "deferred", code: 450, reply: "450 later" },
      ),
    }));
    const { id } = await send({ to: ["ada@example.com", "bob@example.com"] });
    await world.posthorn.drain();
    await reschedule(id, after(hour));
    expect(await world.posthorn.emails.cancel({ emailId: id }, host())).toMatchObject({
      status: "partially_sent",
    });
    expect((await get(id)).recipients.map(({ state }) => state)).toEqual(["accepted", "cancelled"]);
    expect(await eventsOf("email.cancelled")).toHaveLength(1);
    expect(await eventsOf("email.sent")).toEqual([{ email_id: id, accepted: 1, failed: 0 }]);
    const { emails } = world.posthorn.workspace(workspace.id);
    expect((await emails.list({ status: "partially_sent" })).total).toBe(1);
    expect((await emails.list({ status: "queued" })).total).toBe(0);
    await expect(emails.retry({ emailId: id })).rejects.toMatchObject({ code: "not_retryable" });
  });

  test("users may do it with emails:write, in their workspace", async () => {
    const { id } = await send({ scheduledAt: after(day) });
    const { emails } = world.posthorn;
    const viewer = workspace.as(await workspace.addMember("viewer"));
    const editor = workspace.as(await workspace.addMember("editor"));
    const stranger = (await world.addWorkspace()).asOwner;
    const input = { emailId: id };
    for (const [as, code] of [
      [viewer, "forbidden"],
      [stranger, "not_found"],
    ] as const) {
      await expect(emails.cancel(input, as)).rejects.toMatchObject({ code });
      await expect(emails.retry(input, as)).rejects.toMatchObject({ code });
      const moving = emails.reschedule({ ...input, scheduledAt: null }, as);
      await expect(moving).rejects.toMatchObject({ code });
    }
    const later = await emails.reschedule({ ...input, scheduledAt: after(2 * day) }, editor);
    expect(iso(later.scheduledAt)).toBe(after(2 * day));
    expect((await emails.cancel(input, editor)).status).toBe("cancelled");
    world.mailer.answerWith(answerAll("refused", 550, "550 no"));
    const failed = await send();
    await world.posthorn.drain();
    const again = await emails.retry({ emailId: failed.id }, editor);
    expect(again.status).toBe("queued");
  });

  test("an e-mail past its deadline is not retried", async () => {
    world.mailer.answerWith(answerAll("refused", 550, "550 no"));
    const { id } = await send({ deliverBefore: after(hour) });
    await world.posthorn.drain();
    world.clock.advance(hour);
    await expect(world.posthorn.emails.retry({ emailId: id }, workspace.asOwner)).rejects.toMatchObject({
      code: "not_retryable",
    });
  });
});
