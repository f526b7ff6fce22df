import { randomUUID } from "node:crypto";
import { createWebhookSecret, type EmailEventData, emailEventPayload } from "@posthorn/core";
import { webhookEventTypes } from "@posthorn/core/internal";
import type { Api } from "../../program/connection/api.ts";
import type { CommandContext } from "../../program/connection/command-context.ts";
import { askThroughFailures } from "../../program/connection/passing-failures.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { hasCode } from "../../program/errors/has-code.ts";
import { isOwnAuthoritys, ownAuthorityHint } from "../../program/errors/to-cli-error.ts";
import { readInputFile, readTextFile } from "../../terminal/read-input.ts";
import { safeJson, safeText } from "../../terminal/safe-text.ts";
import { whileRead } from "../../terminal/while-read.ts";
import { writeData } from "../../terminal/write-data.ts";
import { forwardedLine } from "./forwarded-line.ts";
import { type Judgement, judgeSignature } from "./judge-signature.ts";
import { type PostOutcome, postSigned } from "./post-signed.ts";
import { receiverUrl } from "./receiver-url.ts";

interface Signing {
  secretFile?: string;
}

/** Reads the secret from a file, or creates one for this run, which is printed. */
async function findSecret(context: CommandContext, { secretFile }: Signing): Promise<string> {
  if (secretFile !== undefined) return await readSecret(secretFile);
  const secret = createWebhookSecret();
  context.output.note(`Deliveries are signed with a secret created for this run: ${secret}`);
  return secret;
}

/** Judges by the secret of a file; a secret that can't be one is the command line's mistake. */
function judgeFromFile(file: string, received: Parameters<typeof judgeSignature>[0]): Judgement {
  try {
    return judgeSignature(received);
  } catch (error) {
    if (error instanceof TypeError) throw new CliError("usage", `${file}: ${error.message}.`);
    throw error;
  }
}

async function readSecret(file: string): Promise<string> {
  const secret = (await readTextFile(file)).trim();
  if (secret === "") throw new CliError("usage", `${file} contains no secret.`);
  return secret;
}

function assertEvents(types: readonly string[], known: readonly string[], kind = "event type"): void {
  const unknown = types.find((type) => !known.includes(type));
  if (unknown !== undefined)
    throw new CliError("usage", `"${unknown}" is not an ${kind}.`, `The types are: ${known.join(", ")}.`);
}

/** Only e-mails' events hold all that their deliveries say. */
const forwardedTypes: readonly string[] = webhookEventTypes.filter((type) => type.startsWith("email."));

interface Listening extends Signing {
  workspace?: string;
  forwardTo: string;
  event?: string[];
}

export async function listen(context: CommandContext, options: Listening): Promise<void> {
  const url = receiverUrl(options.forwardTo);
  const types = options.event ?? forwardedTypes;
  assertEvents(types, forwardedTypes, "e-mail's event type");
  const secret = await findSecret(context, options);
  const api = await context.inWorkspace(options.workspace);
  const { id, name } = api.workspace;
  const { signal, output } = context;
  const { last_id: after } = await api.request("GET /admin/events/position");
  output.note(`Forwarding the e-mail events of "${name}" to ${url.href}. Ctrl-C ends it.`);
  const wanted = { workspace_id: id, category: "email" } as const;
  const events = api.follow({ ...wanted, after, waits: true, signal, tell: output.warn });
  for await (const event of whileRead(events)) {
    const metadata = JSON.parse(event.metadata) as Record<string, unknown>;
    const emailId = emailIdOf(metadata);
    if (emailId === undefined || !types.includes(event.type)) continue;
    const data = await askThroughFailures(() => dataOf(api, emailId, metadata), {
      signal,
      tell: output.warn,
    });
    if (data === undefined) {
      output.warn(`Event ${event.id}, ${event.type}, is left out: its e-mail ${emailId} was deleted.`);
      continue;
    }
    const outcome = await postSigned({
      url,
      secret,
      event: event.type,
      id: `event_${event.id}`,
      body: emailEventPayload(event.type, emailId, Date.parse(event.created_at), data),
      timeoutMs: timeoutMs(context),
      signal,
    });
    const line = output.json
      ? safeJson({ event_id: event.id, event: event.type, email_id: emailId, ...wireOf(outcome) })
      : forwardedLine(event, emailId, outcome);
    await writeData(`${line}\n`, signal);
  }
}

/**
 * Returns the data that a real delivery would contain about the e-mail and the event; `undefined` if the e-mail was
 * deleted since.
 */
async function dataOf(
  api: Api,
  emailId: string,
  told: Record<string, unknown>,
): Promise<EmailEventData | undefined> {
  const email = await api
    .request("GET /workspaces/current/emails/{id}", { id: emailId })
    .catch((error: unknown) => {
      if (hasCode(error, "not_found")) return undefined;
      throw error;
    });
  if (email === undefined) return undefined;
  const { subject, tags, metadata } = email;
  return {
    subject,
    tags,
    metadata,
    ...Object.fromEntries(Object.entries(told).filter(([key]) => key in shared)),
  };
}

/** Keys that an event's metadata and a delivery's data share: all of the data but the e-mail's own. */
const shared = {
  recipient: true,
  list: true,
  origin: true,
  class: true,
  category: true,
  source: true,
  reply: true,
  attempt: true,
  url: true,
  agent_class: true,
} satisfies Record<Exclude<keyof EmailEventData, "subject" | "tags" | "metadata">, true>;

const emailIdOf = ({ email_id: id }: Record<string, unknown>): string | undefined =>
  typeof id === "string" ? id : undefined;

const timeoutMs = (context: CommandContext): number => context.config().values.webhook_timeout_secs * 1000;

const wireOf = ({ status, error, durationMs }: PostOutcome) => ({
  status: status ?? null,
  error,
  duration_ms: durationMs,
});

export async function trigger(
  context: CommandContext,
  event: string,
  options: Signing & { url: string },
): Promise<void> {
  assertEvents([event], webhookEventTypes);
  const url = receiverUrl(options.url);
  const body = await sampleOf(event);
  const outcome = await postSigned({
    url,
    secret: await findSecret(context, options),
    event,
    id: randomUUID(),
    body,
    timeoutMs: timeoutMs(context),
    signal: context.signal,
  });
  context.output.record(
    {
      event,
      url: url.href,
      answer: outcome.status,
      error: outcome.error,
      "took, ms": outcome.durationMs,
      body,
    },
    { event, url: url.href, body, ...wireOf(outcome) },
  );
  if (outcome.error !== "")
    throw new CliError(
      "failed",
      `The receiver did not accept it: ${safeText(outcome.error)}.`,
      hintOf(outcome, options),
    );
}

/** What may help after a failure. */
function hintOf({ status, error }: PostOutcome, { secretFile }: Signing): string | undefined {
  if (status !== undefined)
    return secretFile === undefined
      ? "If it checks signatures, give its secret by --secret-file."
      : undefined;
  if (isOwnAuthoritys(error)) return ownAuthorityHint;
  return /^E[A-Z]+$|^UND_ERR_|^timeout$/.test(error) ? "Is it running at that address?" : undefined;
}

/** Returns the OpenAPI document's example of a delivery, as of now. */
async function sampleOf(event: string): Promise<string> {
  const { webhookExample } = await import("@posthorn/http/internal");
  return JSON.stringify({ ...webhookExample(event), timestamp: new Date().toISOString() });
}

interface Verifying {
  secretFile: string;
  bodyFile: string;
  header: string[];
  tolerance: number;
}

export async function verify(context: CommandContext, options: Verifying): Promise<void> {
  const headers = Object.fromEntries(
    options.header.map((line) => {
      const colon = line.indexOf(":");
      if (colon < 1)
        throw new CliError(
          "usage",
          `"${line}" is not a header.`,
          'An example: --header "webhook-id: 0198c1d2"',
        );
      return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const secret = await readSecret(options.secretFile);
  const body = await readInputFile(options.bodyFile);
  const judgement = judgeFromFile(options.secretFile, {
    secret,
    headers,
    body,
    now: Date.now(),
    toleranceMs: options.tolerance * 1000,
  });
  if (context.output.json) context.output.record({}, judgement);
  if (!judgement.valid) throw new CliError("failed", `The delivery is not genuine: ${judgement.reason}.`);
  context.output.done(`The delivery is genuine: ${judgement.reason}.`);
}
