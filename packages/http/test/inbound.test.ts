import { signatureHeaders } from "@posthorn/core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { type House, openHouse, refusal } from "./harness.ts";

const notification = (id: string, address = "ada@example.com"): string =>
  [
    "Content-Type: multipart/report; report-type=delivery-status; boundary=b",
    "",
    "--b",
    "Content-Type: message/delivery-status",
    "",
    "Reporting-MTA: dns; mx.example",
    `Original-Envelope-Id: ${id}`,
    "",
    `Final-Recipient: rfc822; ${address}`,
    "Action: failed",
    "Diagnostic-Code: smtp; 550 5.7.1 Rejected, Zoë",
    "--b--",
  ].join("\r\n");

// platform.md P7
describe.each(engines)("inbound messages on $name", ({ open }) => {
  let house: House;
  let key: string;
  beforeEach(async () => {
    house = await openHouse(open);
    key = await house.makeKey();
  });
  afterEach(() => house.close());

  const raw = { "content-type": "message/rfc822" };
  async function send(): Promise<string> {
    const body = { subject: "S", text: "T", to: ["ada@example.com"] };
    const { body: answer } = await house.call("POST /emails/send", { as: key, body });
    await house.world.posthorn.drain();
    return String(answer.data?.["id"]);
  }

  test("POST /emails/inbound, raw → 202 with its effect, which the e-mail and the report then show", async () => {
    const id = await send();
    const fed = await house.call("POST /emails/inbound", { as: key, headers: raw, body: notification(id) });
    const effect = {
      kind: "bounce",
      recipient: "ada@example.com",
      class: "block",
      category: "policy",
      effect: "noted",
    };
    const data = {
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      kind: "notification",
      source: "dsn",
      matched: true,
      email_id: id,
      effects: [effect],
      created_at: "2030-01-01T12:00:00.000Z",
    };
    expect([fed.status, fed.body]).toEqual([202, { success: true, data: { report: data } }]);
    const email = await house.call(`GET /emails/${id}`, { as: key });
    expect(email.body.data).toMatchObject({
      status: "sent",
      recipients: [
        {
          class: "block",
          category: "policy",
          code: 250,
          enhanced_code: "5.7.1",
          bounced_at: "2030-01-01T12:00:00.000Z",
          complained_at: null,
        },
      ],
    });
    const listed = await house.call("GET /workspaces/current/inbound-reports?kind=notification", {
      as: house.admin,
    });
    expect([listed.status, listed.body.data]).toEqual([200, [data]]);
    const report = await house.call(
      `GET /workspaces/current/inbound-reports/${String(fed.body.data?.["report"]?.["id"])}`,
      { as: house.owner },
    );
    // Bytes beyond ASCII are returned as Latin-1 characters.
    expect(report.body.data).toMatchObject({ raw: Buffer.from(notification(id)).toString("latin1") });
  });

  test("POST /workspaces/current/inbound accepts JSON too, from owners, admins and API keys only", async () => {
    const id = await send();
    const path = "POST /workspaces/current/inbound";
    const body = { message: notification(id) };
    expect((await house.call(path, { as: house.viewer, body })).status).toBe(403);
    expect((await house.call(path, { as: key, body })).status).toBe(202);
    // A key that is none, and one of another workspace, which this message is not about.
    expect((await house.call(path, { as: `${key.slice(0, -1)}?`, body })).status).toBe(401);
    const workspace = await house.makeWorkspace(house.owner, "Other");
    const other = await house.call(path, { as: await house.makeKey({ workspace }), workspace, body });
    expect([other.status, other.body.data?.["report"]]).toEqual([
      202,
      expect.objectContaining({ matched: false }),
    ]);
    expect((await house.call(path, { as: house.admin, body })).status).toBe(202);
    const again = await house.call(path, { as: house.admin, headers: raw, body: body.message });
    expect(again.body.data).toMatchObject({ report: { email_id: id } });
  });

  test("a provider's webhook is accepted signed over its bytes, at a secret path", async () => {
    const path = "/workspaces/current/inbound-endpoints";
    const made = await house.call(`POST ${path}`, { as: house.owner, body: { provider: "generic" } });
    expect(made.status).toBe(201);
    const { id, url, secret } = made.body.data as Record<string, string>;
    const { pathname } = new URL(url ?? "");
    const body = JSON.stringify({
      events: [
        { kind: "bounce", recipient: "ada@example.com", email_id: await send(), reply: "550 no, Zoë" },
      ],
      // Relays may return the whole message.
      content: "x".repeat(2 * 1_048_576),
    });
    const signed = signatureHeaders({
      secrets: [secret ?? ""],
      id: "1",
      timestamp: house.world.clock.now(),
      body,
    });
    const signature = `POST ${pathname.replace("/api/v1", "")}`;
    const answer = await house.call(signature, { headers: signed, body });
    expect([answer.status, answer.body]).toEqual([200, { success: true, data: { matched: 1 } }]);
    const refusals = await Promise.all([
      house.call(signature, { headers: signed, body: `${body} ` }),
      house.call("POST /inbound/generic/unknown", { headers: signed, body }),
      house.call("POST /inbound/nobody/unknown", { headers: signed, body }),
      house.call(signature, { headers: { ...signed, "content-encoding": "gzip" }, body }),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([401, 404, 400, 415]);
    const listed = await house.call(`GET ${path}`, { as: house.owner });
    expect(listed.body.data).toMatchObject([{ id, provider: "generic" }]);
    expect((await house.call(`DELETE ${path}/${id}`, { as: house.owner })).status).toBe(204);
  });

  test("asks Postmark for its name and password, which some clients send only then, and others as ever", async () => {
    const endpoints = [{ provider: "postmark", secret: "posthorn:a-long-password" }, { provider: "generic" }];
    const asked = endpoints.map(async (body) => {
      const made = await house.call("POST /workspaces/current/inbound-endpoints", { as: house.owner, body });
      const { pathname } = new URL(String(made.body.data?.["url"]));
      const refused = await house.call(`POST ${pathname.replace("/api/v1", "")}`, { body: {} });
      return [refused.status, refused.headers.get("www-authenticate")];
    });
    expect(await Promise.all(asked)).toEqual([
      [401, 'Basic realm="Posthorn"'],
      [401, "Bearer"],
    ]);
  });

  test("refuses another type, an empty body, and more than 1 MiB", async () => {
    const answers = await Promise.all([
      house.call("POST /emails/inbound", { as: key, headers: { "content-type": "text/plain" }, body: "x" }),
      house.call("POST /emails/inbound", { as: key, headers: raw }),
      house.call("POST /emails/inbound", { as: key, headers: raw, body: "x".repeat(1_048_577) }),
      house.call("POST /emails/inbound", { as: key, headers: raw, body: "x".repeat(10 * 1_048_576) }),
      house.call("POST /emails/inbound", { headers: raw, body: "x" }),
    ]);
    expect(answers.map(refusal)).toMatchObject([
      [415, "unsupported_media_type"],
      [400, "validation_failed"],
      [413, "payload_too_large"],
      [413, "payload_too_large"],
      [401, "unauthenticated"],
    ]);
  });
});
