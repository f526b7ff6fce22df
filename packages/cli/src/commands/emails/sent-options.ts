import type { Api } from "../../program/connection/api.ts";
import { CliError } from "../../program/errors/cli-error.ts";
import { findListed } from "../../program/verbs/find-listed.ts";
import { smtpServers } from "../../program/verbs/listed-things.ts";

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
export function readHeaders(given: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const field of given) {
    const [, name, value] = /^([^:\s]+):\s*(.*)$/s.exec(field) ?? [];
    if (name === undefined || value === undefined)
      throw new CliError(
        "usage",
        `--header must be a name and a value (it is ${field}).`,
        "An example: --header 'X-Order: 7'",
      );
    if (Object.hasOwn(headers, name)) throw new CliError("usage", `--header gives ${name} twice.`);
    headers[name] = value;
  }
  return headers;
}
