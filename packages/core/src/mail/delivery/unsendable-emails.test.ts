import { describe, expect, test, vi } from "vitest";
import { die, drainNext, eventsOf, nextAt } from "../../../test/deliveries.ts";
import {
  database,
  get,
  host,
  hour,
  openDatabaseForEach,
  send,
  workspace,
  world,
} from "../../../test/world-for-each.ts";
import { answerAll } from "../../testing/index.ts";

openDatabaseForEach();

describe("e-mails that can't be sent", () => {
  test("a template that exceeds a limit fails permanently, with the reason and no bounce", async () => {
    await world.posthorn.templates.create(
      { name: "long", subject: "x", text: "{{#rows}}{{#rows}}x{{/rows}}{{/rows}}" },
      workspace.asOwner,
    );
    const { id } = await world.posthorn.emails.sendTemplate(
      { template: "long", to: ["ada@example.com"], templateData: { rows: [1] } },
      host(),
    );
    const rows = JSON.stringify({ rows: Array.from({ length: 200 }, () => 1) });
    database
      .prepare(
        "update posthorn_email_payloads set payload = json_set(payload, '$.data', json(?)) where email_id = (select id from posthorn_emails where uuid = ?)",
      )
      .run(rows, id);
    await world.posthorn.drain();
    const details = await get(id);
    expect(details).toMatchObject({ status: "failed", attempts: [{ outcome: "failed" }] });
    expect(details.attempts[0]?.reply).toMatch(/list items/);
    expect(await eventsOf(id)).toEqual(["email.failed"]);
    expect(world.mailer.inbox.all()).toEqual([]);
  });

  test("a template that runs out of time is retried once, and then fails permanently", async () => {
    const turns = "{{#a}}{{^b}}{{/b}}{{/a}}";
    await world.posthorn.templates.create({ name: "slow", subject: "s", text: turns }, host());
    const templateData = { a: new Array(2_000).fill(0), b: 1 };
    const { id } = await world.posthorn.emails.sendTemplate(
      { template: "slow", to: ["ada@example.com"], templateData },
      host(),
    );
    let ms = 0;
    const clock = vi.spyOn(process, "threadCpuUsage").mockImplementation(() => {
      ms += 60;
      return { user: ms * 1_000, system: 0 };
    });
    try {
      await world.posthorn.drain();
      expect(await get(id)).toMatchObject({ status: "queued", recipients: [{ state: "deferred" }] });
      await drainNext();
    } finally {
      clock.mockRestore();
    }
    const lastReply = "Rendering took longer than 100 ms.";
    expect(await get(id)).toMatchObject({ status: "failed", recipients: [{ state: "failed", lastReply }] });
    expect(world.mailer.inbox.all()).toEqual([]);
  });

  test("an e-mail whose content is missing fails, and the next one is sent", async () => {
    const { id } = await send();
    const other = await send({ text: "Other" });
    database.pragma("foreign_keys = off");
    database.prepare("delete from posthorn_contents where text = 'Hello'").run();
    await world.posthorn.drain();
    expect(await get(id)).toMatchObject({
      status: "failed",
      recipients: [{ lastReply: "the content of the e-mail was removed" }],
    });
    expect((await get(other.id)).status).toBe("sent");
  });

  test("an e-mail that crashes its process each time is given up in the end, but not before two days", async () => {
    const { id } = await send();
    const crash = async (times: number) => {
      for (let n = 0; n < times; n++) {
        await die();
        await world.storage.emailQueue.reclaim(await world.storage.emailQueue.claims(), world.clock.now());
      }
    };
    await crash(120);
    world.mailer.answerWith(answerAll("deferred", 451, "later"));
    await world.posthorn.drain();
    expect((await get(id)).status).toBe("queued");
    world.mailer.answerWith(() => Promise.reject(new Error("it is handed over once more")));
    world.clock.advance(48 * hour);
    await world.posthorn.drain();
    const details = await get(id);
    expect(details.status).toBe("failed");
    expect(details.attempts.at(-1)).toMatchObject({ number: 122, reply: "given up after 121 attempts" });
  });

  test("a damaged one fails with its event and webhook, and the others are sent", async () => {
    await world.posthorn.webhooks.create(
      { url: "https://hooks.example.com/", events: ["email.failed"] },
      workspace.asOwner,
    );
    const [bad, good] = [await send(), await send()];
    database
      .prepare(
        "update posthorn_email_payloads set payload = substr(payload, 1, 20) where email_id = (select id from posthorn_emails where uuid = ?)",
      )
      .run(bad.id);
    await world.posthorn.drain();
    expect(await get(bad.id)).toMatchObject({
      status: "failed",
      recipients: [{ state: "failed" }],
      attempts: [{ number: 1, outcome: "failed", reply: expect.stringContaining("damaged") }],
    });
    expect((await get(good.id)).status).toBe("sent");
    expect(await eventsOf(bad.id)).toEqual(["email.failed"]);
    expect(world.http.posts.map(({ body }) => JSON.parse(body).email_id)).toEqual([bad.id]);
    expect(await nextAt()).toBeUndefined();
  });
});
