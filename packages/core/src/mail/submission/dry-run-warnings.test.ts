import { expect, test } from "vitest";
import { host, openDatabaseForEach, reopenWorld, world } from "../../../test/world-for-each.ts";

openDatabaseForEach();

test("a dry run warns of html that Gmail would truncate", async () => {
  const warned = async (bytes: number) => {
    const mail = { subject: "S", html: "x".repeat(bytes), to: ["ada@example.com"] };
    return (await world.posthorn.emails.dryRunSend(mail, host())).warnings.map(({ code }) => code);
  };
  expect([await warned(102 * 1024), await warned(102 * 1024 + 1)]).toEqual([[], ["html_clipped"]]);
});

test("a dry run warns of an e-mail without a subject, as of a template that has none", async () => {
  const { templates, emails } = world.posthorn;
  await templates.create({ name: "bare", text: "It is on its way." }, host());
  const to = ["ada@example.com"];
  const warned = async (fields: { subject?: string; sensitive?: boolean }) => {
    const { wouldSend, warnings } = await emails.dryRunSendTemplate(
      { template: "bare", to, ...fields },
      host(),
    );
    return [wouldSend, ...warnings.map(({ code }) => code)];
  };
  expect(await warned({})).toEqual([true, "subject_empty"]);
  expect(await warned({ subject: "Your order", sensitive: true })).toEqual([true]);
});

test("a dry run warns of placeholders in content that is sent as it is, of a template's not", async () => {
  const { templates, emails } = world.posthorn;
  const to = ["ada@example.com"];
  const warned = async (content: { subject: string; html?: string; text?: string }) =>
    (await emails.dryRunSend({ to, ...content }, host())).warnings;
  expect(await warned({ subject: "Hi {{ user.name }}", html: "<p>{{{raw}}}</p>", text: "{{#a}}" })).toEqual([
    {
      code: "placeholder_not_filled",
      message: "{{ user.name }} in the subject is sent as it is: only templates have placeholders.",
      details: { field: "subject" },
    },
    expect.objectContaining({ message: expect.stringMatching(/^\{\{\{raw\}\} in the html /) }),
    expect.objectContaining({ details: { field: "text" } }),
  ]);
  expect(
    await warned({ subject: "{a} {{}}", text: "if (a) {{ b(); }}", html: "<style>a{b{c:d}}</style>" }),
  ).toEqual([]);
  await templates.create({ name: "hi", subject: "Hi", text: "{{name}}" }, host());
  const tried = await emails.dryRunSendTemplate(
    { template: "hi", to, templateData: { name: "{{x}}" } },
    host(),
  );
  expect(tried.warnings).toEqual([]);
});

test("a dry run warns of other services' placeholders, which are sent as they are, in templates too", async () => {
  const { templates, emails } = world.posthorn;
  await templates.create(
    {
      name: "pasted",
      subject: "Hi *|FNAME|*",
      html: "<p>{% if x %}a{% endif %}</p>",
      text: "%recipient.name%",
    },
    host(),
  );
  const to = ["ada@example.com"];
  const { wouldSend, warnings } = await emails.dryRunSendTemplate({ template: "pasted", to }, host());
  expect(wouldSend).toBe(true);
  expect(warnings.map(({ message }) => message)).toEqual(
    ["*|FNAME|* in the subject", "{% if x %} in the html", "%recipient.name% in the text"].map(
      (found) => `${found} is sent as it is: placeholders are written {{name}}, in a template.`,
    ),
  );
  const harmless = {
    subject: "5 % or *|*",
    html: "<style>a{width:5%}</style><p>{%}</p>",
    text: "100%recipients%",
  };
  expect((await emails.dryRunSend({ to, ...harmless }, host())).warnings).toEqual([]);
});

test.each([
  ["http://mail.example.com", ["unsubscribe_link_insecure"]],
  ["https://mail.example.com", []],
])("a dry run warns of unsubscribe links that are not https: %s", async (baseUrl, codes) => {
  await reopenWorld({ baseUrl });
  const warned = async (fields: object) => {
    const mail = { subject: "News", text: "…", to: ["ada@example.com"], ...fields };
    return (await world.posthorn.emails.dryRunSend(mail, host())).warnings.map(({ code }) => code);
  };
  expect(await warned({ unsubscribe: { list: "news" } })).toEqual(codes);
  expect(await warned({})).toEqual([]);
});
