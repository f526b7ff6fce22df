import { domainToASCII } from "node:url";
import { longestReturnPath } from "../domains/rules/domain-name.ts";
import { readBounceRules } from "../inbound/rules/bounces/own-bounce-rules.ts";
import { parseDomain, parseMailbox } from "../rules/addresses.ts";
import { secretKeyFault } from "../rules/secret-box.ts";
import { assertStorage } from "./assert-storage.ts";
import { checkGivenOptions } from "./check-given-options.ts";
import type { Config, PosthornOptions, Registration } from "./options.ts";
import { readCount, readNumber } from "./read-count.ts";
import { shown } from "./shown.ts";

const registrations: readonly Registration[] = ["invited", "open", "closed"];

/**
 * Returns the options with all defaults, but for the only workspace, which `readOnlyWorkspace` reads. Throws a
 * `TypeError` that names the option and the fault.
 */
export function configure(options: PosthornOptions): Omit<Config, "workspace"> {
  checkGivenOptions(options);
  checkParts(options);
  const baseUrl = readUrl("baseUrl", options.baseUrl ?? "http://127.0.0.1:8080");
  const defaultSender = options.defaultSender === undefined ? undefined : readMailbox(options.defaultSender);
  const { mailer, webhooks = {}, worker = {} } = options;
  return {
    baseUrl,
    appUrl: readUrl("appUrl", options.appUrl ?? `${baseUrl}/app`),
    defaultSender,
    systemSender: defaultSender ?? { name: "Posthorn", address: `no-reply@${mailHost(baseUrl)}` },
    passwordMinLength: readCount("passwordMinLength", options.passwordMinLength ?? 12, 8, 256),
    registration: readRegistration(options.registration ?? "invited"),
    webhooks: {
      maxRetries: readCount("webhooks.maxRetries", webhooks.maxRetries ?? 3, 0, 10),
      timeoutSecs: readNumber("webhooks.timeoutSecs", webhooks.timeoutSecs ?? 10, 0.05, 120),
      retryBaseSecs: readNumber("webhooks.retryBaseSecs", webhooks.retryBaseSecs ?? 5, 0.001, 3600),
      allowPrivate: readFlag("webhooks.allowPrivate", webhooks.allowPrivate ?? false),
    },
    returnPathDomain:
      options.returnPathDomain === undefined ? undefined : readReturnPath(options.returnPathDomain),
    bounceRules: readBounceRules(options.bounceRules ?? []),
    inboundHost:
      options.inboundHost === undefined ? undefined : readDomain("inboundHost", options.inboundHost),
    trackingHost:
      options.trackingHost === undefined ? undefined : readDomain("trackingHost", options.trackingHost),
    spfInclude: options.spfInclude === undefined ? undefined : readDomain("spfInclude", options.spfInclude),
    worker: {
      concurrency: readCount(
        "worker.concurrency",
        worker.concurrency ?? Math.min(1000, mailer.concurrency + (mailer.backlog ?? 0)),
        1,
        1000,
      ),
      // The end of a lease is stored in whole ms.
      leaseMs: Math.ceil(readNumber("worker.leaseMs", worker.leaseMs ?? 30_000, 100, 600_000)),
      pollMs: readNumber("worker.pollMs", worker.pollMs ?? 5_000, 10, 600_000),
    },
    maxMessageMb: readCount("maxMessageMb", options.maxMessageMb ?? 25, 1, 100),
    eventRetentionDays: readCount("eventRetentionDays", options.eventRetentionDays ?? 400, 0, 36_500),
  };
}

/** Checks parts by name, for hosts without types: otherwise an error would come from deep inside. */
function checkParts(options: Partial<PosthornOptions>): void {
  const { storage, mailer, secretKey, clock, random, formerSecretKeys = [] } = options;
  assertStorage(storage);
  if (typeof mailer?.send !== "function")
    throw new TypeError("mailer must be a mailer such as createSmtpMailer's, with send and concurrency");
  const { concurrency, timeoutMs = 1, backlog = 0 } = mailer;
  if (concurrency !== Number.POSITIVE_INFINITY) readCount("mailer.concurrency", concurrency, 1, 1_000_000);
  if (backlog !== Number.POSITIVE_INFINITY) readCount("mailer.backlog", backlog, 0, 1_000_000);
  if (timeoutMs !== Number.POSITIVE_INFINITY) readNumber("mailer.timeoutMs", timeoutMs, 1, 2 ** 31 - 2_000);
  if (clock !== undefined && !Number.isSafeInteger(clock.now()))
    throw new TypeError(
      `clock.now must return whole ms since the epoch, as Date.now does; it returned ${clock.now()}`,
    );
  const drawn = random === undefined ? 0 : random();
  if (!(drawn >= 0 && drawn <= 1))
    throw new TypeError(
      `random must return a number from 0 to 1, as Math.random does; it returned ${shown(drawn)}`,
    );
  if (typeof secretKey !== "string")
    throw new TypeError("secretKey must be a text of at least 32 characters");
  const fault = secretKeyFault(secretKey);
  if (fault !== undefined) throw new TypeError(`secretKey ${fault}`);
  for (const former of formerSecretKeys) {
    const formerFault = secretKeyFault(former);
    if (formerFault !== undefined) throw new TypeError(`formerSecretKeys holds a key that ${formerFault}`);
  }
}

function readUrl(name: string, text: string): string {
  const url = URL.parse(text);
  // A password is shown nowhere.
  const hasLogin = url !== null && (url.username !== "" || url.password !== "");
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "" || hasLogin) {
    throw new TypeError(
      `${name} must be an http or https URL without login and query, such as https://mail.example.com; it ${hasLogin ? "has a login" : `is ${shown(text)}`}`,
    );
  }
  return url.href.replace(/\/+$/, "");
}

function readMailbox(text: string): { name: string; address: string } {
  const mailbox = typeof text === "string" ? parseMailbox(text) : undefined;
  if (mailbox === undefined) {
    throw new TypeError(`defaultSender must be "a@b.example" or "Name <a@b.example>"; it is ${shown(text)}`);
  }
  return mailbox;
}

/** Reads a domain name, and returns it in lower-case ASCII (IDNA). Names of SPF records may begin with an underscore. */
function readDomain(name: string, text: string): string {
  const domain = typeof text === "string" ? parseDomain(text.replaceAll("_", "x")) : undefined;
  if (domain === undefined)
    throw new TypeError(`${name} must be a domain such as spf.example.com; it is ${shown(text)}`);
  // It returns nothing for a name whose end a browser would read as a number, such as 0x1.
  return domainToASCII(text) || text.toLowerCase();
}

/** Reads the domain of return paths: of addresses, which have no underscores in it, and room for a token before it. */
function readReturnPath(text: string): string {
  const name = "returnPathDomain";
  if (typeof text === "string" && text.includes("_"))
    throw new TypeError(`${name} must have no underscore, because it is part of addresses; it is ${text}`);
  const domain = readDomain(name, text);
  if (domain.length > longestReturnPath)
    throw new TypeError(
      `${name} must have at most ${longestReturnPath} characters, because addresses of 254 begin with a token; it has ${domain.length}`,
    );
  return domain;
}

function readRegistration(value: Registration): Registration {
  if (!registrations.includes(value))
    throw new TypeError(`registration must be ${registrations.join(", ")}; it is ${shown(value)}`);
  return value;
}

function readFlag(name: string, value: boolean): boolean {
  if (typeof value !== "boolean") throw new TypeError(`${name} must be true or false; it is ${shown(value)}`);
  return value;
}

/** Returns the URL's host for a mail address, or a placeholder if it is a bare name or an IP address. */
function mailHost(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  return parseMailbox(`no-reply@${hostname}`) === undefined ? "posthorn.localhost" : hostname;
}
