import { describe, expect, test } from "vitest";
import { database, host, openDatabaseForEach, send, workspace, world } from "../../test/world-for-each.ts";

openDatabaseForEach();

const html = '<a href="https://shop.example/">Shop</a>';
const content = { subject: "Hi", html, text: "" };
const opens = { opens: true, clicks: false, trap: false };
const clicks = { opens: false, clicks: true, trap: false };

/** Returns what is tracked of each accepted e-mail, in order. */
const tracked = () =>
  (
    database.prepare("select payload from posthorn_email_payloads order by email_id").all() as {
      payload: string;
    }[]
  ).map(({ payload }) => JSON.parse(payload).tracking);

describe("what is tracked is stored with the e-mail", () => {
  test("a send's own choice, else the workspace's settings when it is accepted", async () => {
    await send(content);
    await send({ ...content, tracking: { opens: true } });
    await world.posthorn.settings.update({ trackClicks: true, trackingTrap: true }, workspace.asOwner);
    await send(content);
    await send({ ...content, tracking: { opens: true, clicks: false } });
    await send({ ...content, sensitive: true });
    const trap = { opens: false, clicks: true, trap: true };
    expect(tracked()).toEqual([undefined, opens, trap, opens, undefined]);
  });

  test("of templates, of a batch's shared fields, and of its items", async () => {
    await world.posthorn.templates.create({ name: "hi", ...content }, workspace.asOwner);
    const { emails } = world.posthorn;
    await emails.sendTemplate({ template: "hi", to: ["a@example.com"], tracking: { clicks: true } }, host());
    await emails.sendBatch(
      { ...content, recipients: [{ to: "b@example.com" }], tracking: { opens: true } },
      host(),
    );
    const item = { ...content, to: ["c@example.com"], tracking: { clicks: true } };
    await emails.sendBatch({ emails: [item, { ...item, tracking: {} }] }, host());
    expect(tracked()).toEqual([clicks, opens, clicks, undefined]);
  });

  test("of campaigns, which show their choice; their tests are not tracked", async () => {
    const { campaigns } = world.posthorn;
    const recipients = [{ to: "a@example.com" }];
    const as = workspace.asOwner;
    const campaign = { name: "Spring", ...content, recipients, tracking: { clicks: true } };
    const { id: campaignId, tracking } = await campaigns.create(campaign, as);
    expect(tracking).toEqual({ clicks: true });
    await campaigns.test({ campaignId, to: "me@example.com" }, as);
    await campaigns.start({ campaignId }, as);
    await world.posthorn.drain();
    expect(tracked()).toEqual([undefined, clicks]);
  });
});

test("asking to track a sensitive e-mail is refused on that field", async () => {
  const refusal = { code: "validation_failed", details: [{ path: "tracking" }] };
  const tracking = { clicks: true };
  await expect(send({ ...content, sensitive: true, tracking })).rejects.toMatchObject(refusal);
  const shared = { ...content, recipients: [{ to: "b@example.com" }], sensitive: true, tracking };
  await expect(world.posthorn.emails.sendBatch(shared, host())).rejects.toMatchObject(refusal);
  await send({ ...content, sensitive: true, tracking: { opens: false } });
});

test("a dry run warns of links that nobody else reaches, if the e-mail has html", async () => {
  const warn = async (input: object) => {
    const mail = { subject: "Hi", text: "Hello", to: ["ada@example.com"], ...input };
    const { warnings } = await world.posthorn.emails.dryRunSend(mail, host());
    return warnings.map(({ code }) => code);
  };
  expect(await warn({ html, tracking: { clicks: true } })).toEqual(["tracking_base_url"]);
  expect(await warn({ html })).toEqual([]);
  expect(await warn({ tracking: { clicks: true } })).toEqual([]);
});

test("a dry run tells the size with tracked links and the image, as it is sent", async () => {
  const { posthorn, mailer } = world;
  const tracking = { opens: true, clicks: true };
  const mail = { subject: "Hi", html, text: "Hello", to: ["ada@example.com"] };
  const plain = await posthorn.emails.dryRunSend(mail, host());
  const literal = await posthorn.emails.dryRunSend({ ...mail, tracking }, host());
  await posthorn.templates.create({ name: "hi", subject: "Hi", html, text: "Hello" }, workspace.asOwner);
  const use = { template: "hi", tracking };
  const template = await posthorn.emails.dryRunSendTemplate({ ...use, to: ["bob@example.com"] }, host());
  const batch = { ...use, recipients: [{ to: "bob@example.com" }] };
  const { sizeBytes } = await posthorn.emails.dryRunSendBatch(batch, host());
  await send({ ...mail, tracking });
  await world.posthorn.drain();
  const sent = mailer.inbox.find({ to: "ada@example.com" });
  const size = "Hi".length + "Hello".length + (sent?.html.length ?? 0);
  expect(size).toBeGreaterThan(plain.sizeBytes + 200);
  expect([literal.sizeBytes, template.sizeBytes, sizeBytes]).toEqual([size, size, size]);
});
