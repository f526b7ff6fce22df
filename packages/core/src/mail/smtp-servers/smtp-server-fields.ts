import { z } from "zod";
import { nameField } from "../../calls/input/name-field.ts";
import { fromDomainPattern, linePattern, returnPathPattern } from "../../calls/input/text-patterns.ts";
import { fieldError } from "../../errors.ts";
import type { SmtpServer } from "../../ports/storage.ts";
import { parseAddress, parseDomain } from "../../rules/addresses.ts";
import type { Config } from "../../service/options.ts";
import { mailPorts, readServerHost } from "../rules/server-host.ts";

const whole = z.int("must be a whole number");
const flag = z.boolean("must be true or false");
const plainLine = (longest: number) =>
  z
    .string()
    .max(longest, `is longer than ${longest} characters`)
    .refine((text) => !/\p{Cc}/u.test(text), "must not contain control characters")
    .meta({ pattern: linePattern });

const fromDomain = z
  .string()
  .max(254, "is longer than 254 characters")
  .transform((text, context): string => {
    const [, dot = "", name = ""] = /^(\.?)(.*)$/s.exec(text.trim()) ?? [];
    const domain = parseDomain(name);
    if (domain !== undefined) return `${dot}${domain}`;
    context.addIssue({
      code: "custom",
      message: 'is not a domain such as "shop.example" or ".shop.example"',
    });
    return z.NEVER;
  })
  .meta({ pattern: fromDomainPattern });

const returnPath = z
  .string()
  .max(254, "is longer than 254 characters")
  .transform((text, context): string => {
    if (text === "sender" || text === "verp") return text;
    const address = parseAddress(text.trim());
    if (address !== undefined) return address;
    context.addIssue({ code: "custom", message: 'is neither "sender" nor "verp" nor an e-mail address' });
    return z.NEVER;
  })
  .meta({ pattern: returnPathPattern });

/** Input fields of a mail server (platform.md P5). */
export const smtpServerFields = {
  name: nameField.describe("Unique in the workspace; 1 to 100 characters on one line."),
  host: z
    .string()
    .min(1, "must not be empty")
    .max(253, "is longer than 253 characters")
    .describe("The server's name or public IP address."),
  port: whole
    .min(1, "must be 1 to 65535")
    .max(65_535, "must be 1 to 65535")
    .describe("25, 465, 587 or 2525. Default: 465 with `tls`, else 587."),
  security: z
    .enum(["none", "starttls", "tls"], { error: "must be none, starttls or tls" })
    .describe(
      "`tls`: TLS from the first byte. `starttls`: TLS before the login, and no mail without it. `none`: cleartext, without a login. Default `starttls`.",
    ),
  username: plainLine(320).describe("User name of the login; empty for no login."),
  password: z
    .string()
    .max(1000, "is longer than 1000 characters")
    .describe("Password or token of the login, at most 1,000 characters; stored encrypted and never shown."),
  fromDomains: z
    .array(fromDomain)
    .max(100, "takes at most 100 domains")
    .transform((all) => [...new Set(all)])
    .describe(
      "Senders' domains that the server accepts, at most 100: `shop.example`, or `.shop.example` for its subdomains. Empty: any sender.",
    ),
  isDefault: flag.describe(
    "Whether it also accepts mail from domains that no server of the workspace lists. Default false.",
  ),
  isActive: flag.describe("Whether it is used. Default true."),
  priority: whole
    .min(0, "must be 0 to 100")
    .max(100, "must be 0 to 100")
    .describe("Order of attempts among several servers, 0 to 100, lowest first. Default 50."),
  maxConnections: whole
    .min(1, "must be 1 to 50")
    .max(50, "must be 1 to 50")
    .describe("Maximum simultaneous connections of all processes together, 1 to 50. Default 3."),
  maxPerSecond: z
    .number("must be a number")
    .min(0.01, "must be 0.01 to 1000")
    .max(1000, "must be 0.01 to 1000")
    .nullable()
    .describe("Maximum messages per second of all processes together, 0.01 to 1,000; null for no limit."),
  maxPerHour: whole
    .min(1, "must be 1 to 3600000")
    .max(3_600_000, "must be 1 to 3600000")
    .nullable()
    .describe(
      "Maximum messages per hour of all processes together, 1 to 3,600,000, spread evenly; null for no limit.",
    ),
  returnPath: returnPath.describe(
    "Return path for bounces (MAIL FROM): `sender`; `verp`, an address of this service that identifies the e-mail, for mail from domains with a verified return path; or an address. Default `sender`.",
  ),
};

/**
 * Refuses fields that can't be combined, and hosts that a tenant must not connect to. Returns the host in the form that
 * is stored.
 */
export function assertServer(
  server: Pick<SmtpServer, "host" | "port" | "security" | "username"> & { hasPassword: boolean },
  { webhooks: { allowPrivate } }: Config,
): { host: string } {
  const read = readServerHost(server.host, allowPrivate);
  if ("fault" in read) throw fieldError("host", read.fault);
  if (!allowPrivate && !mailPorts.includes(server.port))
    throw fieldError("port", `must be one of ${mailPorts.join(", ")}`);
  if (server.username !== "" && !server.hasPassword)
    throw fieldError("password", "must be given with a user name");
  if (server.username === "" && server.hasPassword)
    throw fieldError("username", "must be given with a password");
  if (server.security === "none" && server.username !== "" && !allowPrivate)
    throw fieldError("security", "must not be none with a login: the password would go in cleartext");
  return { host: read.host };
}
