import { describe, expect, test } from "vitest";
import { engines } from "./engines.ts";
import { faultyFields, refusal } from "./harness.ts";
import { house, idOf, key, openSendingHouse, plain, send, withPlan } from "./sending-house.ts";

// service.md, Sending with a template (API key); decisions §7
describe.each(engines)("sending on $name", ({ open }) => {
  openSendingHouse(open);

  // platform.md P1
  describe("?dry_run=true", () => {
    const tryOut = (path: string, body: object, as = key, headers = {}) =>
      house.call(`POST ${path}?dry_run=true`, {
        as,
        body: { to: ["ada@example.com"], ...body },
        headers,
      });

    test("reports what would be sent, with 200", async () => {
      const { as } = await withPlan({ hourly_rate_limit: 5 });
      const answer = await tryOut("/emails/send", { subject: "S", text: "Tschüß" }, as);
      expect([answer.status, answer.body.data]).toMatchObject([
        200,
        {
          would_send: true,
          reasons: [],
          recipients: [{ kind: "to", address: "ada@example.com", suppressed: false }],
          quota: { hour: { used: 0, limit: 5 }, day: { used: 0, limit: 0 } },
          server: { smtp_server_id: null, name: null },
          domain: { status: null, dkim: false },
          template_version_id: null,
          subject: "S",
          missing: [],
          unused: [],
          size_bytes: 9,
          warnings: [],
        },
      ]);
    });

    test("reports every problem, by the API's names, and what the template does not use", async () => {
      const { as, workspace } = await withPlan({ hourly_rate_limit: 1 });
      const body = { name: "receipt", text: "{{name}} owes {{amount}}" };
      await house.call("POST /workspaces/current/templates", { as: house.owner, workspace, body });
      const asked = {
        template: "receipt",
        to: ["ada@example.com", "bob@example.com"],
        template_data: { name: "Ada", colour: "red" },
        scheduled_at: "2030-03-01T00:00:00Z",
        deliver_before: "2030-02-01T00:00:00Z",
      };
      const answer = await tryOut("/emails/send-template", asked, as);
      expect(answer.body.data).toMatchObject({ would_send: false, missing: ["amount"], unused: ["colour"] });
      const reasons = answer.body.data?.["reasons"] as unknown as { code: string; details: unknown }[];
      expect(reasons.map(({ code }) => code)).toEqual([
        "validation_failed",
        "deadline_passed",
        "template_data_missing",
        "rate_limited",
      ]);
      expect(reasons[0]?.details).toEqual([{ path: "scheduled_at", message: "is more than 30 days ahead" }]);
    });

    test("needs no idempotency key and writes nothing", async () => {
      const { as } = await withPlan({ hourly_rate_limit: 1 });
      const headers = { "idempotency-key": "once" };
      const body = { subject: "S", text: "T", to: ["ada@example.com"] };
      expect((await tryOut("/emails/send", body, as, headers)).body.data).toMatchObject({ would_send: true });
      expect((await house.call("GET /emails", { as })).body["pagination"]).toMatchObject({ total: 0 });
      const sent = await house.call("POST /emails/send", { as, body: { ...body, text: "U" }, headers });
      expect(sent.status).toBe(202);
      expect((await tryOut("/emails/send", body, as, headers)).body.data?.["reasons"]).toMatchObject([
        { code: "idempotency_key_reused" },
      ]);
      const repeated = await tryOut("/emails/send", { ...body, text: "U" }, as, headers);
      expect(repeated.body.data).toMatchObject({
        would_send: false,
        reasons: [],
        warnings: [{ code: "answered_before" }],
      });
    });

    test("must be true or false, and is accepted only on sends", async () => {
      const answer = await house.call("POST /emails/send?dry_run=perhaps", { as: key, body: {} });
      expect(faultyFields(answer)).toEqual([400, ["dry_run"]]);
      const body = { subject: "S", text: "T", to: ["ada@example.com"] };
      expect((await house.call("POST /emails/send?dry_run=false", { as: key, body })).status).toBe(202);
    });
  });

  describe("POST /emails/send-template", () => {
    test("{template, to, template_data} → 202 Email, sent with the active version", async () => {
      const answer = await send();
      expect([answer.status, answer.body.data]).toEqual([
        202,
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          status: "queued",
          template: "receipt",
          template_version_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          from: expect.stringContaining("no-reply@posthorn.example"),
          to: ["ada@example.com"],
          subject: "For Ada",
          created_at: "2030-01-01T12:00:00.000Z",
          scheduled_at: null,
          deliver_before: null,
          sent_at: null,
          priority: "normal",
          batch_id: null,
          campaign_id: null,
          smtp_server_id: null,
          tags: [],
          metadata: {},
          attachments: [],
        },
      ]);
      await house.world.posthorn.drain();
      const mail = house.world.mailer.inbox.all().find(({ emailId }) => emailId === idOf(answer));
      expect([mail?.subject, mail?.text]).toEqual(["For Ada", "Ada owes 5"]);
      const read = await house.call(`GET /emails/${idOf(answer)}`, { as: key });
      expect(read.body.data).toMatchObject({ status: "sent", sent_at: "2030-01-01T12:00:00.000Z" });
      expect(read.body.data?.["recipients"]).toMatchObject([
        { address: "ada@example.com", state: "accepted" },
      ]);
    });

    test("activating another version changes later sends, but not queued e-mails", async () => {
      const made = await house.call("POST /workspaces/current/templates", {
        as: house.editor,
        body: { name: "switch", text: "one" },
      });
      const path = `/workspaces/current/templates/${made.body.data?.["id"]}`;
      const next = await house.call(`POST ${path}/versions`, { as: house.editor, body: { text: "two" } });
      const before = await send({ template: "switch" });
      await house.call(`POST ${path}/activate/${next.body.data?.["id"]}`, { as: house.editor });
      const after = await send({ template: "switch" });
      const named = await send({
        template: "switch",
        template_version_id: made.body.data?.["active_version_id"],
      });
      await house.world.posthorn.drain();
      const texts = [before, after, named].map(
        (each) => house.world.mailer.inbox.all().find(({ emailId }) => emailId === idOf(each))?.text,
      );
      expect(texts).toEqual(["one", "two", "one"]);
    });

    test("the fields of one way to send name its route in the other's refusal, before what is missing", async () => {
      const to = ["ada@example.com"];
      const said = async (path: string, body: object) =>
        (await house.call(`POST ${path}`, { as: key, body: { to, ...body } })).body.error?.message;
      expect(await said("/emails/send", { template: "receipt", templateData: {} })).toBe(
        "template: is not a known field (did you mean template of POST /emails/send-template?) (and 2 more)",
      );
      expect(await said("/emails/send-template", { subject: "S", html: "H" })).toBe(
        "html: is not a known field (did you mean html of POST /emails/send?) (and 1 more)",
      );
    });

    test("an unknown template, and an unknown version of one, are a 404", async () => {
      expect(refusal(await send({ template: "nothing" }))).toEqual([404, "not_found"]);
      const template_version_id = "0190f3c1-7a2b-7c3d-8e4f-5a6b7c8d9e0f";
      expect(refusal(await send({ template_version_id }))).toEqual([404, "not_found"]);
    });

    test("placeholders without a value are a 422 that lists them all; allow_missing sends; sample data is never used", async () => {
      const answer = await send({ template_data: { amount: null } });
      expect(refusal(answer)).toEqual([422, "template_data_missing"]);
      expect(answer.body.error?.details).toEqual({ missing: ["name", "amount"] });
      const { id } = { id: idOf(await send({ template_data: {}, allow_missing: true })) };
      await house.world.posthorn.drain();
      const mail = house.world.mailer.inbox.all().find(({ emailId }) => emailId === id);
      expect(mail?.text).toBe(" owes ");
    });

    test.each([
      [{ template: undefined }, "template"],
      [{ to: undefined }, "to"],
      [{ to: [] }, "to"],
      [{ to: "ada@example.com" }, "to"],
      [{ to: Array.from({ length: 51 }, (_, at) => `a${at}@example.com`) }, "to"],
      [{ to: ["a@example.com,b@example.com"] }, "to.0"],
      [{ to: ["a@example.com", "A@example.com"] }, "to.1"],
      [{ to: [`${"x".repeat(999)}@example.com`] }, "to.0"],
      [{ cc: [`${"x".repeat(999)}@example.com`] }, "cc.0"],
      [{ bcc: [`${"x".repeat(999)}@example.com`] }, "bcc.0"],
      [{ template_data: { name: "x".repeat(256 * 1024) } }, "template_data"],
      [{ headers: { "X-Spam-Status": "No" } }, "headers.X-Spam-Status"],
      [{ cc: ["ada@example.com"] }, "cc.0"],
      [{ template_data: [1] }, "template_data"],
      [{ from: "x@example.com\r\nBcc: y@example.com" }, "from"],
      [{ reply_to: "nobody" }, "reply_to"],
      [{ subject: "a\nb" }, "subject"],
      [{ headers: { Bcc: "x@example.com" } }, "headers.Bcc"],
      [{ headers: { "X-A": "a\r\nBcc: b@example.com" } }, "headers.X-A"],
      [{ tags: Array.from({ length: 11 }, (_, at) => `t${at}`) }, "tags"],
      [{ metadata: { a: "x".repeat(5000) } }, "metadata"],
      [{ scheduled_at: "2030-02-01T12:00:00Z" }, "scheduled_at"],
      [{ scheduled_at: "tomorrow" }, "scheduled_at"],
      [{ workspace_id: 1 }, "workspace_id"],
      [{ status: "sent" }, "status"],
      [{ __proto__: null, constructor: {} }, "constructor"],
    ])("%j is a 400 that names %s", async (more, field) => {
      expect(faultyFields(await send(more))).toEqual([400, [field]]);
    });

    test("to, cc and bcc are one message with several recipients, bcc hidden", async () => {
      const answer = await send({
        to: ["a@example.com", "B <b@example.com>"],
        cc: ["c@example.com"],
        bcc: ["d@example.com"],
      });
      await house.world.posthorn.drain();
      const mails = house.world.mailer.inbox.all().filter(({ emailId }) => emailId === idOf(answer));
      const everyone = mails.flatMap(({ envelope }) => envelope.to).toSorted();
      expect(everyone).toEqual(["a@example.com", "b@example.com", "c@example.com", "d@example.com"]);
      for (const mail of mails)
        expect(JSON.stringify([mail.to, mail.cc, mail.headers])).not.toContain("d@example.com");
    });
  });

  describe("sender", () => {
    test("from, else the workspace's default, else the server's", async () => {
      const { as, workspace } = await withPlan({});
      expect((await plain({}, as)).body.data?.["from"]).toContain("no-reply@posthorn.example");
      await house.call("PUT /workspaces/current/settings", {
        as: house.owner,
        workspace,
        body: { default_sender_name: "Shop", default_sender_email: "shop@example.com" },
      });
      expect((await plain({}, as)).body.data?.["from"]).toBe("Shop <shop@example.com>");
      expect((await plain({ from: "me@example.com" }, as)).body.data?.["from"]).toBe("me@example.com");
    });

    test("require_verified_domain refuses an unverified one", async () => {
      const { as, workspace } = await withPlan({});
      const body = { require_verified_domain: true };
      await house.call("PUT /workspaces/current/settings", { as: house.owner, workspace, body });
      expect(refusal(await plain({ from: "me@example.com" }, as))).toEqual([422, "domain_not_verified"]);
    });
  });

  describe("credentials", () => {
    test("a missing key, a login, and an unknown, mistyped or revoked key get the same 401", async () => {
      const revoked = await house.call("POST /workspaces/current/api-keys", {
        as: house.owner,
        body: { name: "r" },
      });
      const text = String(revoked.body.data?.["key"]);
      expect((await plain({}, text)).status).toBe(202);
      const gone = await house.call(`DELETE /workspaces/current/api-keys/${revoked.body.data?.["id"]}`, {
        as: house.owner,
      });
      expect(gone.status).toBe(200);
      const answers = [];
      for (const as of [undefined, house.owner, `${key}x`, `sk_${"a".repeat(40)}`, text])
        answers.push(await house.call("POST /emails/send", { as, body: {} }));
      for (const answer of answers) {
        expect(refusal(answer)).toEqual([401, "unauthenticated"]);
        expect(answer.body.error).toEqual(answers[0]?.body.error);
      }
    });

    test("a key shows its last use", async () => {
      const { as, workspace } = await withPlan({});
      await plain({}, as);
      const list = await house.call("GET /workspaces/current/api-keys", { as: house.owner, workspace });
      expect(list.body.data?.[0]?.["last_used_at"]).toBe("2030-01-01T12:00:00.000Z");
    });
  });
});
