import { readWebhook } from "@posthorn/client";
import { webhookEventTypes } from "@posthorn/core/internal";
import { acceptAll, answerAll } from "@posthorn/core/testing";
import { createOpenApi, routes } from "@posthorn/http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { engines } from "./engines.ts";
import { type House, openHouse } from "./harness.ts";

/** A schema whose objects have no other fields than it says. */
const closed = (schema: unknown): z.core.JSONSchema.JSONSchema =>
  JSON.parse(JSON.stringify(schema), (_, value) =>
    value?.type === "object" && value.properties !== undefined
      ? { ...value, additionalProperties: false }
      : value,
  );

const { webhooks } = createOpenApi(routes);
const path = "/workspaces/current/webhooks";
const browser =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0";

describe.each(engines)("what webhooks post, on $name", ({ open }) => {
  let house: House;
  let key: string;
  let hook: { id: string; secret: string };
  beforeEach(async () => {
    house = await openHouse(open);
    key = await house.makeKey();
    const { body } = await owner(`POST ${path}`, { url: "https://hooks.example.com/", events: ["*"] });
    hook = { id: String(body.data?.["id"]), secret: String(body.data?.["secret"]) };
  });
  afterEach(() => house.close());

  async function owner(signature: string, body?: unknown) {
    const answer = await house.call(signature, { as: house.owner, ...(body === undefined ? {} : { body }) });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer;
  }

  /** Sends an e-mail, and delivers what is due. Returns its id. */
  async function send(more: object = {}): Promise<string> {
    const body = { subject: "S", text: "T", to: ["ada@example.com"], ...more };
    const answer = await house.call("POST /emails/send", { as: key, body });
    expect(answer.status, answer.text).toBe(202);
    await house.world.posthorn.drain();
    return String(answer.body.data?.["id"]);
  }

  /** Reads what was posted, with the client, and compares it with the document. Returns the bodies. */
  async function read() {
    const bodies: NonNullable<Awaited<ReturnType<typeof readWebhook>>>[] = [];
    for (const { headers, body } of house.world.http.posts) {
      const now = house.world.clock.now();
      const event = await readWebhook({
        secret: hook.secret,
        headers,
        body,
        now,
        toleranceMs: Number.POSITIVE_INFINITY,
      });
      const { schema } = webhooks[event?.event ?? ""]?.post.requestBody.content["application/json"] ?? {};
      z.fromJSONSchema(closed(schema)).parse(event);
      if (event !== undefined) bodies.push(event);
    }
    return bodies;
  }

  /** Types that the following tests have seen, besides those of the first. */
  const more = ["campaign.", "domain.", "smtp_server.", "email.complained", "email.opened", "email.clicked"];
  const isMore = (type: string) => more.some((begin) => type.startsWith(begin));
  const typesOf = (bodies: readonly { event: string }[]) =>
    [...new Set(bodies.map(({ event }) => event))].toSorted();

  test("about e-mails is what the OpenAPI document says of each type, and the client reads it", async () => {
    const { mailer, clock, posthorn } = house.world;
    await owner(`POST ${path}/${hook.id}/test`);
    await send({ tags: ["a"], metadata: { order: 1 } });
    await send({ subject: "Your code", sensitive: true });
    mailer.answerWith(answerAll("deferred", 451, "4.7.1 later"));
    await send();
    mailer.answerWith(answerAll("refused", 550, "5.1.1 no such user"));
    await send({ to: ["gone@example.com"] });
    mailer.answerWith();
    await send({ to: ["gone@example.com", "ada@example.com"] });
    const scheduled = await send({ scheduled_at: new Date(clock.now() + 3_600_000).toISOString() });
    await house.call(`POST /emails/${scheduled}/cancel`, { as: key });
    await send({ unsubscribe: { list: "news" } });
    const [, token = ""] = /\/u\/([\w.-]+)>/.exec(JSON.stringify(mailer.inbox.all().at(-1)?.headers)) ?? [];
    await posthorn.unsubscriptions.create({ token });
    await posthorn.drain();

    const bodies = await read();
    const subjects = bodies.flatMap((one) => (one.event === "email.queued" ? [one.data.subject] : []));
    // That of the sensitive e-mail is hidden.
    expect(new Set(subjects)).toEqual(new Set(["S", ""]));
    const bounces = bodies.flatMap((one) => (one.event === "email.bounced" ? [one.data.category] : []));
    expect(bounces).toEqual(["invalid_recipient"]);
    expect(typesOf(bodies)).toEqual(webhookEventTypes.filter((type) => !isMore(type)).toSorted());
  });

  test("about readers, campaigns, domains and mail servers is, too: no type is left out", async () => {
    const { mailer, clock, posthorn, dns } = house.world;
    const html = '<a href="https://shop.example/1">1</a>';
    const id = await send({ html, tracking: { opens: true, clicks: true } });
    const tracked = mailer.inbox.all().find(({ emailId }) => emailId === id)?.html ?? "";
    clock.advance(3_600_000);
    const visit = { ip: "203.0.113.7", userAgent: browser, isPrefetch: false };
    posthorn.recordOpen(/\/o\/([\w-]+)\.gif/.exec(tracked)?.[1] ?? "", visit);
    posthorn.followLink(/\/c\/([\w-]+)/.exec(tracked)?.[1] ?? "", visit);
    await posthorn.drain();
    const complaint = `Content-Type: message/feedback-report\r\n\r\nFeedback-Type: abuse\r\nOriginal-Envelope-Id: ${id}\r\n`;
    const headers = { "content-type": "message/rfc822" };
    const fed = await house.ask("POST /workspaces/current/inbound", { token: key, body: complaint, headers });
    expect(fed.body.data, fed.text).toMatchObject({ report: { matched: true } });

    const campaign = { name: "Spring", subject: "Hi", text: "T", recipients: [{ to: "bob@example.com" }] };
    const made = await owner("POST /workspaces/current/campaigns", campaign);
    await owner(`POST /workspaces/current/campaigns/${made.body.data?.["id"]}/start`);
    await posthorn.drain();

    const server = { name: "relay", host: "mail.example.com", from_domains: ["other.example"] };
    await owner("POST /workspaces/current/smtp-servers", server);
    const held = { cause: "unreachable", reason: "could not connect", retryAfterMs: 1_000 } as const;
    mailer.answerWith((message) =>
      message.server === undefined
        ? acceptAll(message)
        : { ...answerAll("deferred", 421, "later")(message), held },
    );
    await send({ from: "a@other.example", to: ["grace@example.com"] });
    for (let fault = 0; fault < 3; fault += 1) {
      clock.advance(1_000);
      await posthorn.drain();
    }
    mailer.answerWith();
    clock.advance(60_000);
    await posthorn.drain();

    const domain = (await owner("POST /workspaces/current/domains", { name: "shop.example" })).body.data;
    const records = domain?.["records"] as unknown as { name: string; value: string }[];
    const verify = () => owner(`POST /workspaces/current/domains/${domain?.["id"]}/verify`);
    for (const { name, value } of records) dns.set(name, value);
    await verify();
    for (const { name } of records) dns.set(name);
    await verify();
    // The workers check it again by themselves.
    clock.advance(73 * 3_600_000);
    await posthorn.drain();

    expect(typesOf(await read()).filter(isMore)).toEqual(webhookEventTypes.filter(isMore).toSorted());
  });
});
