import type { Api } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import type { TrackOption } from "../../program/settings/option-values.ts";
import { defined } from "../../program/verbs/defined.ts";
import { findListed } from "../../program/verbs/find-listed.ts";
import { smtpServers } from "../../program/verbs/listed-things.ts";

/** Options that `emails send` and `batches send` share. */
export interface SentOptions {
  workspace?: string;
  template?: string;
  data?: string;
  allowMissing?: boolean;
  subject?: string;
  html?: string;
  text?: string;
  from?: string;
  replyTo?: string;
  header?: string[];
  smtpServer?: string;
  attach?: string[];
  inline?: string[];
  tag?: string[];
  unsubscribe?: string;
  track?: TrackOption;
  scheduledAt?: string;
  priority?: "high" | "normal" | "low";
  deliverBefore?: string;
  defer?: boolean;
  sensitive?: boolean;
  dryRun?: boolean;
  idempotencyKey?: string;
}

/** Returns the fields of those of the shared options that say how to send, whatever the content. */
export const sentFields = ({ unsubscribe: list, header, defer, ...options }: SentOptions) => ({
  ...defined({ from: options.from, reply_to: options.replyTo, tags: options.tag, tracking: options.track }),
  ...defined({ scheduled_at: options.scheduledAt, deliver_before: options.deliverBefore }),
  ...defined({ priority: options.priority, sensitive: options.sensitive }),
  ...(header === undefined ? {} : { headers: readHeaders(header) }),
  ...(list === undefined ? {} : { unsubscribe: { list } }),
  ...(defer === true ? { when_limited: "defer" as const } : {}),
});

const findByName = findListed(smtpServers);

/**
 * Finds the id of the mail server that `--smtp-server` names. An API key can't list servers, so that only an id works.
 */
export async function findSmtpServer(api: Api, named: string): Promise<string> {
  if (/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(named)) return named;
  if (!api.isKey) return await findByName(api, named);
  throw new CliError(
    "usage",
    `An API key can't look up the mail server "${named}".`,
    "Use its id. With a login, this shows it: posthorn smtp-servers list",
  );
}

/** Parses header fields of `--header`, `Name: value` each. Throws a usage error for an invalid or a repeated one. */
function readHeaders(given: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (const field of given) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(field) ?? [];
    if (name === undefined || value === undefined)
      throw new CliError(
        "usage",
        `--header must be a name and a value (it is ${field}).`,
        "An example: --header 'X-Order: 7'",
      );
    if (headers.has(name)) throw new CliError("usage", `--header gives ${name} twice.`);
    headers.set(name, value);
  }
  return Object.fromEntries(headers);
}
