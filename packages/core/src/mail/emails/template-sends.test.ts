import { describe, expect, test } from "vitest";
import { addTemplate, count, sendTemplate } from "../../../test/template-sends.ts";
import {
  codesOf,
  eventsOf,
  host,
  limitTo,
  openWorldForEach,
  workspace,
  world,
} from "../../../test/world-for-each.ts";

openWorldForEach();

describe("accepting with a template", () => {
  test("renders the subject at once and the body as it was at that time", async () => {
    const { id: templateId } = await addTemplate();
    const sent = await sendTemplate({ templateData: { name: "Ada", greeting: "<hi>" } });
    expect(sent).toMatchObject({ subject: "Hello Ada", template: "welcome" });
    const version = await world.posthorn.templateVersions.create(
      { templateId, text: "changed" },
      workspace.asOwner,
    );
    await world.posthorn.templateVersions.activate({ templateId, versionId: version.id }, workspace.asOwner);
    await world.posthorn.drain();
    const mail = await world.mailer.inbox.waitFor({ subject: "Hello Ada" });
    expect(mail.html).toContain("Dear Ada, &lt;hi&gt;");
    expect(mail.text).toContain("Dear Ada, <hi>");
  });

  // A template of the name "Cafe\u0301", as macOS writes a file's name, is stored as "Caf\u00e9".
  test.each(["Cafe\u0301", "Caf\u00e9", " Caf\u00e9 "])(
    "finds the template by the name that made it: %j",
    async (template) => {
      const { posthorn } = world;
      await posthorn.templates.create({ name: "Cafe\u0301", subject: "Hi", text: "x" }, workspace.asOwner);
      const sent = await sendTemplate({ template });
      expect(sent.template).toBe("Caf\u00e9");
      const to = "bob@example.com";
      await posthorn.emails.sendBatch({ template, recipients: [{ to }] }, host());
      await posthorn.emails.sendBatch({ emails: [{ template, to: [to] }] }, host());
      expect((await posthorn.emails.list({ template }, host())).total).toBe(3);
      const campaign = { name: "Spring", template, recipients: [{ to }] };
      expect((await posthorn.campaigns.create(campaign, workspace.asOwner)).template).toBe("Caf\u00e9");
    },
  );

  test("renders a date the same at once and at delivery: as the stored string", async () => {
    await addTemplate();
    const at = new Date("2030-01-31T08:00:00.000Z");
    const sent = await sendTemplate({ templateData: { name: at, greeting: at }, metadata: { at } });
    expect(sent).toMatchObject({
      subject: "Hello 2030-01-31T08:00:00.000Z",
      metadata: { at: at.toISOString() },
    });
    await world.posthorn.drain();
    const mail = await world.mailer.inbox.waitFor({ subject: sent.subject });
    expect(mail.text).toContain("Dear 2030-01-31T08:00:00.000Z, 2030-01-31T08:00:00.000Z");
  });

  test("refuses a rendered subject of over 998 characters, as one that is given, and so does a dry run", async () => {
    await addTemplate();
    const named = (length: number) => ({ templateData: { name: "x".repeat(length), greeting: "hi" } });
    const refusal = {
      code: "template_render_failed",
      message: "The rendered subject has 999 characters: at most 998 are allowed.",
    };
    await expect(sendTemplate(named(993))).rejects.toMatchObject(refusal);
    const mail = { template: "welcome", to: ["ada@example.com"], ...named(993) };
    const { reasons } = await world.posthorn.emails.dryRunSendTemplate(mail, host());
    expect(reasons).toMatchObject([refusal]);
    expect((await sendTemplate(named(992))).subject).toHaveLength(998);
  });

  test("an unknown template's refusal names the nearest one of its own workspace", async () => {
    await addTemplate();
    const other = await world.addWorkspace({ name: "Other" });
    await world.posthorn.templates.create({ name: "receipt", subject: "S", text: "T" }, other.asOwner);
    const named = { code: "not_found", details: { template: "welcom" } };
    const message = "There is no template named welcom. Did you mean welcome?";
    await expect(sendTemplate({ template: "welcom" })).rejects.toMatchObject({ ...named, message });
    await expect(sendTemplate({ template: "receipts" })).rejects.toThrow(
      /^There is no template named receipts\.$/,
    );
    const batch = { template: "welcom", recipients: [{ to: "ada@example.com" }] };
    await expect(world.posthorn.emails.sendBatch(batch, host())).rejects.toThrow(message);
  });

  test("lists every placeholder without a value, unless that is allowed", async () => {
    await addTemplate();
    await expect(sendTemplate()).rejects.toMatchObject({
      code: "template_data_missing",
      details: { missing: ["name", "greeting"] },
    });
    expect((await sendTemplate({ allowMissing: true })).subject).toBe("Hello ");
    expect(await count()).toBe(1);
  });

  test("the caller's own subject is a template too, and replaces the version's", async () => {
    await addTemplate();
    const named = { templateData: { name: "Ada", greeting: "hi" } };
    expect((await sendTemplate({ ...named, subject: "For {{name}}" })).subject).toBe("For Ada");
    await expect(sendTemplate({ ...named, subject: "{{other}}" })).rejects.toMatchObject({
      details: { missing: ["other"] },
    });
    await expect(sendTemplate({ ...named, subject: "{{#a}}" })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ path: "subject" }],
    });
  });

  test("what only the replaced subject prints is not missing", async () => {
    await world.posthorn.templates.create(
      { name: "order", subject: "Order {{number}}", text: "Thanks" },
      workspace.asOwner,
    );
    expect((await sendTemplate({ template: "order", subject: "Thanks" })).subject).toBe("Thanks");
    await expect(sendTemplate({ template: "order" })).rejects.toMatchObject({
      details: { missing: ["number"] },
    });
  });

  test("an inactive version of that template can be chosen, but of no other", async () => {
    const { id: templateId } = await addTemplate();
    const { id } = await world.posthorn.templateVersions.create(
      { templateId, subject: "Second", text: "2" },
      workspace.asOwner,
    );
    const other = await world.posthorn.templates.create({ name: "other", text: "x" }, workspace.asOwner);
    expect(await sendTemplate({ templateVersionId: id })).toMatchObject({
      subject: "Second",
      templateVersionId: id,
    });
    expect(
      await codesOf([
        sendTemplate({ templateVersionId: other.activeVersionId }),
        sendTemplate({ template: "nothing" }),
      ]),
    ).toEqual(["not_found", "not_found"]);
  });

  test("a test e-mail is marked, counted, and refused if an address is repeated", async () => {
    await limitTo({ hourlyRateLimit: 2 });
    const { id: templateId, activeVersionId: versionId } = await addTemplate();
    const test = (to: string | string[]) =>
      world.posthorn.templateVersions.test({ templateId, versionId, to }, workspace.asOwner);
    expect((await test(["a@example.com", "b@example.com"])).subject).toBe("[Test] Hello ");
    expect(await eventsOf("email.queued")).toMatchObject([{ recipients: 2, test: true }]);
    expect(await codesOf([test("c@example.com"), test(["d@example.com", "D@example.com"])])).toEqual([
      "rate_limited",
      "validation_failed",
    ]);
  });
});
