import type { ApiError } from "@posthorn/client";
import type { FieldFault, ServiceError } from "@posthorn/core";
import { shellWord } from "../verbs/shell-word.ts";
import { CliError } from "./cli-error.ts";
import { databaseFault } from "./database-fault.ts";
import { failureOf } from "./failure-of.ts";
import { fileFault } from "./file-fault.ts";
import { hasCode } from "./has-code.ts";
import { sentence } from "./sentence.ts";

/** The command that was called, for messages in its terms. */
export interface Called {
  /** Noun of the command: `emails` of `emails show`. */
  noun: string;
  /** Given arguments, in order. */
  args: readonly CalledArgument[];
  /** Options by their long names, such as `--to`. */
  options: readonly string[];
}

interface CalledArgument {
  /** Name in the usage, such as `external-id`. */
  name: string;
  /** Field of the route, if it differs from the name; of one of several values with its index, such as `emails.0`. */
  field: string | undefined;
  value: string;
}

/** What to do where a user does not exist. */
export const unknownUserHint = "Try: posthorn users list. Create one: posthorn users create --help";

// Errors are recognised by name: loading core or the client for their classes would slow every `--help`.
const isServiceError = (error: unknown): error is ServiceError =>
  error instanceof Error && error.name === "ServiceError" && "code" in error;

const isApiError = (error: unknown): error is ApiError => error instanceof Error && error.name === "ApiError";

/** Converts any error to one to report, in the terms of the command that was called. */
export function toCliError(error: unknown, called?: Called): CliError {
  if (error instanceof CliError) return error;
  if (isServiceError(error)) {
    const { message, hint } = inWordsOf(error, called);
    const { code, details } = error;
    return new CliError(failureOf(code), message, hint, { cause: error, code, details });
  }
  if (isApiError(error)) return refusalOf(error, called);
  if (error instanceof Error && error.name === "StorageUnavailable") return databaseFault(error);
  if (error instanceof Error && error.name === "SchemaMismatch")
    return new CliError(
      "conflict",
      sentence(error.message),
      "Install the version that the service runs, or a newer one. See: posthorn migrate --status",
      { cause: error },
    );
  // PostgreSQL names what it refuses (insufficient_privilege).
  if (error instanceof Error && hasCode(error, "42501"))
    return new CliError(
      "not_allowed",
      sentence(error.message),
      "To create the tables, PostgreSQL's user needs: grant create on database NAME to USER. One that does not migrate needs usage of the schema, and rights on all of its tables and sequences, also on those that an update adds.",
      { cause: error },
    );
  const fault = fileFault(error);
  if (fault !== undefined) return fault;
  const message = error instanceof Error ? error.message : String(error);
  return new CliError("failed", message, "Run the command again with --debug to see where.", {
    cause: error,
  });
}

/** Describes a server's refusal, or that no server responds. */
function refusalOf(error: ApiError, called: Called | undefined): CliError {
  const { code, status, requestId, details } = error;
  if (code === "unreachable") {
    const hint = isUntrusted(error)
      ? ownAuthorityHint
      : called?.noun === "profiles"
        ? "Check the address, and that the server runs."
        : "See the profile's server: posthorn profiles";
    // Node adds an option of its own, which a command has no place for.
    const message = error.message.replace(/; if the root CA is [^.;]*Node\.js with [\w-]+/, "");
    return new CliError("unavailable", message, hint, { cause: error, code });
  }
  if (code === "")
    return new CliError(
      status >= 500 ? "unavailable" : status === 404 ? "not_found" : "failed",
      `The server there is not a Posthorn server: ${error.message}`,
      "See the profile's server: posthorn profiles",
      { cause: error },
    );
  const { message, hint } = inCommandsWords(error) ?? inWordsOf(error, called);
  const found = code === "internal_error" ? `The server's log calls it request ${requestId}.` : hint;
  return new CliError(failureOf(code, status), message, found, { cause: error, code, details });
}

/** How a certificate that no public authority signed is trusted. */
export const ownAuthorityHint =
  "A certificate of your own authority is trusted if NODE_EXTRA_CA_CERTS names the authority's file, or, where the system trusts it, by NODE_USE_SYSTEM_CA=1.";

/** Whether a server's certificate is signed by nobody who is trusted here. */
function isUntrusted({ cause }: ApiError): boolean {
  // `fetch` fails with the connection's error as its cause.
  const { code } = Object((cause as Error | undefined)?.cause) as { code?: unknown };
  return isOwnAuthoritys(String(code));
}

/** Whether this is the code of a certificate that nobody signed who is trusted here. */
export const isOwnAuthoritys = (code: string): boolean => /SELF_SIGNED|UNABLE_TO/.test(code);

/** Returns what the API says about headers, which the user of a command did not write, in other words. */
function inCommandsWords({ code, message }: ApiError): { message: string; hint: string } | undefined {
  if (code === "unauthenticated")
    return {
      message: "The server does not accept this key or login.",
      hint: "It is mistyped, has expired, or was revoked. Log in again, or add the key again: posthorn profiles --help",
    };
  if (code === "not_a_member" && message.startsWith("The API key belongs to another workspace"))
    return {
      message: "The profile's API key belongs to another workspace.",
      hint: "Save a key of this one in a profile of its own: posthorn profiles add --help",
    };
  return undefined;
}

/** Kind of thing that a command works on, by noun. */
const things: Readonly<Record<string, string>> = {
  "api-keys": "API key",
  batches: "batch",
  emails: "e-mail",
  invitations: "invitation",
  members: "member",
  plans: "plan",
  stylesheets: "stylesheet",
  templates: "template",
  users: "user",
  webhooks: "webhook or delivery",
  workspaces: "workspace",
};

/** Options whose names differ from the field's. */
const optionOf: Readonly<Record<string, string>> = {
  "template-data": "data",
  tags: "tag",
  events: "event",
  headers: "header",
  filters: "filter",
  q: "query",
  "is-admin": "admin",
  "from-date": "since",
  content: "recipients",
  port: "smtp-port",
};

/** Hints about error codes, for the command line. One that names an option is for the commands that have it. */
const hints: Readonly<Record<string, readonly { hint: string; option?: string }[]>> = {
  sender_missing: [
    { hint: "Give one by --from, or for all: posthorn settings set --sender-email", option: "--from" },
    { hint: "Give one for all: posthorn settings set --sender-email" },
  ],
  template_data_missing: [
    {
      hint: "Give them a value by --data, or none to send it all the same: --allow-missing",
      option: "--allow-missing",
    },
  ],
  rate_limited: [{ hint: "To send it once the limit allows: --defer", option: "--defer" }],
  all_recipients_suppressed: [{ hint: "See why: posthorn suppressions check ADDRESS" }],
  domain_not_verified: [{ hint: "See what is missing: posthorn domains list" }],
};

function hintOf(
  { code, message, details }: { code: string; message: string; details?: unknown },
  { noun, args, options }: Called,
): string | undefined {
  if (code === "not_found" && Object.hasOwn(Object(details), "template"))
    return "Try: posthorn templates list";
  if (code === "not_found" && message.startsWith("There is no user "))
    return noun === "members"
      ? "Invite somebody without an account: posthorn members invite --help"
      : unknownUserHint;
  if (
    code === "validation_failed" &&
    noun === "webhooks" &&
    /^url: must (?:start with|lead to)/.test(message)
  )
    return "For a receiver on your machine: posthorn webhooks listen --help, or SERVICE_WEBHOOK_ALLOW_PRIVATE=true";
  if (code === "validation_failed" && noun === "smtp-servers" && message === "host: must be a public address")
    return "One in your own network takes the service's setting SERVICE_WEBHOOK_ALLOW_PRIVATE=true.";
  if (code === "validation_failed" && message.includes("can't be read from line 1 on: it is not CSV"))
    return "Only a file whose name ends in .ndjson is read as JSON, and standard input as CSV.";
  // Of a send that has more recipients than the limit, only a batch can wait for several hours.
  if (code === "rate_limited" && noun === "emails" && Object.hasOwn(Object(details), "recipients"))
    return undefined;
  if (code === "not_found" && noun === "suppressions" && args[0] !== undefined)
    return `It may have another scope: posthorn suppressions list --query ${shellWord(args[0].value)}`;
  if (code === "webhook_disabled")
    return `Enable it: posthorn webhooks enable ${(details as { webhook_id: string }).webhook_id}`;
  if (code === "template_data_missing" && options.includes("--unsubscribe") && lacksLink(details))
    return "The link to unsubscribe takes the list that it leaves: --unsubscribe news";
  return hints[code]?.find(({ option }) => option === undefined || options.includes(option))?.hint;
}

const lacksLink = (details: unknown): boolean =>
  (details as { missing?: readonly string[] } | undefined)?.missing?.includes("unsubscribe_url") === true;

function inWordsOf(
  error: { code: string; message: string; details?: unknown },
  called: Called | undefined,
): { message: string; hint?: string } {
  if (called === undefined) return error;
  const thing = things[called.noun];
  const isUnnamed = ["The requested resource does not exist.", `There is no such ${thing}.`].includes(
    error.message,
  );
  if (error.code === "not_found" && isUnnamed && thing !== undefined) {
    const [named] = called.args;
    const message =
      named === undefined ? `There is no such ${thing}.` : `There is no ${thing} "${named.value}".`;
    return { message, hint: `Try: posthorn ${called.noun} list` };
  }
  const { details } = error;
  const hint = hintOf(error, called);
  const isAboutFields = error.code === "validation_failed" && Array.isArray(details) && details.length > 0;
  const message = isAboutFields
    ? details.map((fault) => describeFault(fault, called)).join(" ")
    : error.message;
  return hint === undefined ? { message } : { message, hint };
}

/**
 * Converts `to.0: is no address` to `--to, the 1st: is no address.`; names a field that is neither option nor argument
 * in plain words.
 */
function describeFault({ path, message }: FieldFault, called: Called): string {
  const one = called.args.find(({ field, value }) => field === path && value.length <= longest);
  if (one !== undefined && path.includes(".")) return `"${one.value}", the ${one.name}, ${message}.`;
  const [field = "", ...inside] = path.split(".");
  const words = dashed(field);
  const written = `--${optionOf[words] ?? words}`;
  const option = [written, `${written}-file`].find((one) => called.options.includes(one));
  const plain = words.replaceAll("-", " ").trim();
  // What came through standard input was not written as an option.
  const piped = called.options.includes(`${written}-stdin`) ? `The ${plain}` : undefined;
  const name = option ?? piped ?? nameArgument(words, called) ?? plain;
  // The message may begin with the innermost name itself: "From is set by the service".
  const places = message.startsWith(`${inside.at(-1)} `) ? inside.slice(0, -1) : inside;
  const place = places.map((part) => (/^\d+$/.test(part) ? `number ${Number(part) + 1}` : part)).join(", ");
  const subject = [name, place].filter((part) => part !== "").join(", ");
  const continues = places === inside && !isSentence(message);
  const joint = subject === "" ? "" : continues ? " " : ": ";
  return `${subject}${joint}${message}`.replace(/\.?$/, ".");
}

/** Whether a field's message is a sentence of its own, such as those about a template's syntax. */
export const isSentence = (message: string): boolean => /^[A-Z][a-z]/.test(message);

/** Converts `userId` and `user_id` to `user-id`. */
const dashed = (field: string): string =>
  field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll("_", "-");

/** Maximum number of an argument's characters that a message repeats. */
const longest = 80;

/** Returns the argument for a field as the user wrote it; `undefined` if there is none. */
function nameArgument(words: string, { args, noun }: Called): string | undefined {
  const own = args.find(({ name, field }) =>
    field === undefined ? words === name || words === `${name}-id` : words === dashed(field),
  );
  // The first argument is the thing itself, whose field is `id`, or its thing's id, such as `templateId`.
  const [first, second] = args;
  const isThing = first?.field === undefined || /(^|_)id$/i.test(first.field);
  const isFirst = isThing && (words === "id" || (second === undefined && words.endsWith("-id")));
  const argument = own ?? (isFirst ? first : undefined);
  if (argument === undefined || argument.value === "" || argument.value.length > longest) return undefined;
  const called = argument === first && words.endsWith("id") && own?.name !== words;
  return `"${argument.value}", the ${called ? `${things[noun] ?? "thing"}'s id` : argument.name.replaceAll("-", " ")},`;
}
