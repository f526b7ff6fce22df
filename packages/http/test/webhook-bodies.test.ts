import { readWebhook } from "@posthorn/client";
import { answerAll } from "@posthorn/core/testing";
import { createOpenApi, routes } from "@posthorn/http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
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

describe.each(engines)("what webhooks post, on $name", ({ open }) => {
  let house: House;
  beforeAll(async () => {
    house = await openHouse(open);
  });
  afterAll(() => house.close());

  test("is what the OpenAPI document says of each type, and the client reads it", async () => {
    const { mailer, clock, posthorn, http } = house.world;
    const key = await house.makeKey();
    const path = "/workspaces/current/webhooks";
    const owner = async (signature: string, body?: unknown) => {
      const answer = await house.call(signature, {
        as: house.owner,
        ...(body === undefined ? {} : { body }),
      });
      return { id: String(answer.body.data?.["id"]), secret: String(answer.body.data?.["secret"]) };
    };
    const send = async (more: object = {}) => {
      const body = { subject: "S", text: "T", to: ["ada@example.com"], ...more };
      const answer = await house.call("POST /emails/send", { as: key, body });
      await posthorn.drain();
      return String(answer.body.data?.["id"]);
    };
    const made = await owner(`POST ${path}`, { url: "https://hooks.example.com/", events: ["*"] });
    await owner(`POST ${path}/${made.id}/test`);
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

    const { webhooks } = createOpenApi(routes);
    const seen = new Set<string>();
    const subjects: string[] = [];
    for (const { headers, body } of http.posts) {
      const event = await readWebhook({
        secret: made.secret,
        headers,
        body,
        now: clock.now(),
      });
      const { schema } = webhooks[event?.event ?? ""]?.post.requestBody.content["application/json"] ?? {};
      z.fromJSONSchema(closed(schema)).parse(event);
      seen.add(String(event?.event));
      if (event?.event === "email.queued") subjects.push(event.data.subject);
      if (event?.event === "email.bounced") expect(event.data.category).toBe("invalid_recipient");
    }
    // That of the sensitive e-mail is hidden.
    expect(new Set(subjects)).toEqual(new Set(["S", ""]));
    expect([...seen].toSorted()).toEqual([
      ..."bounced cancelled delivery_delayed failed queued sent suppressed unsubscribed"
        .split(" ")
        .map((type) => `email.${type}`),
      "suppression.created",
      "webhook.test",
    ]);
  });
});
