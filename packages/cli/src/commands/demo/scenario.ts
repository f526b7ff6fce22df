import { createHash, randomBytes } from "node:crypto";
import type { ApiClient } from "./api-client.ts";
import type { Arrivals } from "./create-arrivals.ts";
import { firstVersion, secondVersion, stylesheet, templateData } from "./demo-content.ts";
import { type ReadableMail, readMail } from "./read-mail.ts";
import type { ReceivedMail } from "./smtp-sink.ts";
import type { Story } from "./story.ts";
import { hasValidSignature, type ReceivedWebhook } from "./webhook-receiver.ts";

export interface Stage {
  story: Story;
  api: ApiClient;
  mails: Arrivals<ReceivedMail>;
  webhooks: Arrivals<ReceivedWebhook>;
  webhookUrl: string;
  /** Marks a workspace as trusted, as the operator. */
  trust(workspaceId: number): Promise<void>;
}

/** The result as printed with `--json`. */
export interface Outcome {
  email: { id: string; status: string };
  mail: ReadableMail;
  webhook: { event: unknown; signature: string; signature_valid: boolean };
}

/** Runs the main scenario as a client of the API. Throws a `CliError` that names the step that failed. */
export async function playScenario(stage: Stage): Promise<Outcome> {
  const token = await logInAsNewUser(stage);
  const workspace = await createWorkspace(stage, token);
  await createTemplate(stage, workspace);
  const { key, secret } = await createKeyAndWebhook(stage, workspace);
  const sent = await send(stage, key);
  const mail = await readTheMail(stage, sent.id);
  const webhook = await checkTheWebhook(stage, sent.id, secret);
  const { status } = await stage.story.step("Look up the e-mail", async () => {
    const found = await stage.api.call<{ status: string }>(
      "GET",
      `/emails/${sent.id}`,
      undefined,
      bearer(key),
    );
    stage.story.tell(`status: ${found.status}`);
    return found;
  });
  return { email: { id: sent.id, status }, mail, webhook };
}

const bearer = (token: string): Record<string, string> => ({ authorization: `Bearer ${token}` });

async function logInAsNewUser({ story, api, mails }: Stage): Promise<string> {
  const person = { name: "Ada Lovelace", email: "ada@example.com" };
  const password = randomBytes(12).toString("base64url");
  await story.step("Register a user", async () => {
    await api.call("POST", "/auth/register", { ...person, password });
    story.tell(`${person.name} <${person.email}>, address not verified yet`);
  });
  await story.step("Verify the address with the token that was mailed to it", async () => {
    const mail = await readMail(
      (await mails.waitFor("the verification mail", ({ to }) => to.includes(person.email))).source,
    );
    story.tell(`✉ "${mail.subject}" from ${mail.from}`);
    const token = /[?&]token=([\w-]+)/.exec(mail.text)?.[1];
    if (token === undefined) throw new Error("the verification mail contains no token");
    await api.call("POST", "/auth/verify-email", { token, password });
  });
  return await story.step("Log in", async () => {
    const login = await api.call<{ token: string; expires_at: string }>("POST", "/auth/login", {
      email: person.email,
      password,
    });
    story.tell(`the token expires at ${login.expires_at}`);
    return login.token;
  });
}

type Headers = Record<string, string>;

async function createWorkspace({ story, api, trust }: Stage, token: string): Promise<Headers> {
  const { id, headers } = await story.step("Create a workspace", async () => {
    const workspace = await api.call<{ id: number; name: string }>(
      "POST",
      "/workspaces",
      { name: "Post Horn Shop" },
      bearer(token),
    );
    story.tell(`"${workspace.name}", number ${workspace.id}; requests name it in X-Service-Workspace-Id`);
    const headers = { ...bearer(token), "X-Service-Workspace-Id": String(workspace.id) };
    return { id: workspace.id, headers };
  });
  await story.step("Trust the workspace, as the operator: anybody may register here", async () => {
    await trust(id);
    story.tell(`$ posthorn workspaces trust ${id}`);
  });
  return headers;
}

async function createTemplate({ story, api }: Stage, headers: Headers): Promise<void> {
  await story.step("Create a stylesheet, which is inlined into every template", async () => {
    await api.call("POST", "/workspaces/current/stylesheets", stylesheet, headers);
    story.quote(stylesheet.name, stylesheet.css);
  });
  await story.step("Create a template, and a second version of it with a loop", async () => {
    const path = "/workspaces/current/templates";
    const template = await api.call<{ id: string }>(
      "POST",
      path,
      { name: "order", ...firstVersion },
      headers,
    );
    const version = await api.call<{ id: string; version_number: number }>(
      "POST",
      `${path}/${template.id}/versions`,
      secondVersion,
      headers,
    );
    story.quote(`version ${version.version_number}, html`, secondVersion.html);
    await api.call("POST", `${path}/${template.id}/activate/${version.id}`, undefined, headers);
    story.tell(`version ${version.version_number} is now active`);
  });
}

async function createKeyAndWebhook(
  { story, api, webhookUrl }: Stage,
  headers: Headers,
): Promise<{ key: string; secret: string }> {
  const secret = await story.step("Create a webhook", async () => {
    const webhook = await api.call<{ secret: string }>(
      "POST",
      "/workspaces/current/webhooks",
      { url: webhookUrl, events: ["email.sent", "email.failed"] },
      headers,
    );
    story.tell(`${webhookUrl} receives email.sent, email.failed; secret ${webhook.secret.slice(0, 9)}…`);
    return webhook.secret;
  });
  const key = await story.step("Create an API key", async () => {
    const made = await api.call<{ key: string }>(
      "POST",
      "/workspaces/current/api-keys",
      { name: "shop" },
      headers,
    );
    story.tell(`${made.key.slice(0, 8)}…, shown only once`);
    return made.key;
  });
  return { key, secret };
}

async function send({ story, api }: Stage, key: string): Promise<{ id: string }> {
  return await story.step("Send an e-mail, with the key and an Idempotency-Key", async () => {
    const request = {
      template: "order",
      to: ["grace@example.com"],
      from: "Post Horn Shop <shop@example.com>",
      template_data: templateData,
    };
    const headers = {
      ...bearer(key),
      "Idempotency-Key": createHash("sha256").update("order 2041").digest("hex"),
    };
    const email = await api.call<{ id: string; status: string }>(
      "POST",
      "/emails/send-template",
      request,
      headers,
    );
    story.tell(`${email.id}, ${email.status}: it is on disk`);
    const again = await api.call<{ id: string }>("POST", "/emails/send-template", request, headers);
    if (again.id !== email.id) throw new Error("the same Idempotency-Key made a second e-mail");
    story.tell("sent again with the same Idempotency-Key: the same e-mail, no second one");
    return email;
  });
}

async function readTheMail({ story, mails }: Stage, emailId: string): Promise<ReadableMail> {
  return await story.step("Read the e-mail that the mail server received", async () => {
    const received = await mails.waitFor("the mail", ({ to }) => to.includes("grace@example.com"));
    const mail = await readMail(received.source);
    story.tell(`From: ${mail.from}`);
    story.tell(`To: ${mail.to}`);
    story.tell(`Subject: ${mail.subject}`);
    story.tell(`Message-ID: ${mail.messageId}`);
    story.quote("html, with the stylesheet inlined", /<h1[\s\S]*<\/table>/.exec(mail.html)?.[0] ?? mail.html);
    story.quote("text", mail.text);
    assert(
      mail.html.includes("<h1 style=") && mail.html.includes("#1a5276"),
      "the stylesheet was not inlined",
    );
    assert(mail.html.includes("Grace &lt;3"), "the html was not escaped");
    assert(mail.text.includes("- Brass post horn: 49.00"), "the loop did not run");
    assert(mail.messageId.includes(emailId), "the Message-ID does not contain the e-mail's id");
    return mail;
  });
}

async function checkTheWebhook(
  { story, webhooks }: Stage,
  emailId: string,
  secret: string,
): Promise<Outcome["webhook"]> {
  return await story.step("Verify the webhook delivery that the receiver got", async () => {
    const webhook = await webhooks.waitFor("the webhook", ({ body }) => body.includes(emailId));
    const signature = String(webhook.headers["x-service-signature"] ?? "");
    story.quote("body", webhook.body);
    story.tell(`X-Service-Signature: ${signature.slice(0, 39)}…`);
    const isValid = hasValidSignature(webhook, secret);
    assert(isValid, "its signature is not that of the webhook's secret");
    assert(
      !hasValidSignature({ ...webhook, body: `${webhook.body} ` }, secret),
      "an altered body passes for the signed one",
    );
    story.tell("✓ the signature matches, and does not match an altered body");
    return { event: JSON.parse(webhook.body), signature, signature_valid: isValid };
  });
}

function assert(holds: boolean, fault: string): asserts holds {
  if (!holds) throw new Error(fault);
}
