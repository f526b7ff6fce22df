import { z } from "zod";
import { senderPattern } from "../calls/input/text-patterns.ts";
import { fieldError } from "../errors.ts";
import { webhookEventTypes } from "../events.ts";
import { addressKey } from "../rules/address-key.ts";
import { parseAddress, parseDomain } from "../rules/addresses.ts";
import type { Config } from "../service/options.ts";
import { checkTargetUrl } from "./rules/webhook-target.ts";

const known = new Set<string>(["*", ...webhookEventTypes]);

const unknownType = `is not an event type; there are: ${[...known].join(", ")}`;

const distinct = (items: string[]): string[] => [...new Set(items)];

const filter = z
  .string()
  .max(254, "is longer than 254 characters")
  .transform((text, context): string => {
    const typed = text.trim();
    const address = parseAddress(typed);
    const parsed = address === undefined ? parseDomain(typed.replace(/^@/, "")) : addressKey(address);
    if (parsed !== undefined) return parsed;
    context.addIssue({ code: "custom", message: "is neither a sender address nor a domain" });
    return z.NEVER;
  })
  .meta({ pattern: senderPattern });

/** Fields of a webhook (service.md, Webhook; decisions §10). */
export const webhookFields = {
  url: z
    .string()
    .min(1, "must not be empty")
    .max(2048, "is longer than 2048 characters")
    // The format "uri" refuses hosts and paths beyond ASCII.
    .meta({ pattern: "^[Hh][Tt][Tt][Pp][Ss]?://" })
    .describe("The URL that events are posted to: https, at most 2,048 characters."),
  events: z
    .array(
      z
        .string()
        .refine((type) => known.has(type), unknownType)
        .meta({ enum: [...known] }),
    )
    .min(1, "needs at least one event type")
    .max(50, "takes at most 50 event types")
    .transform(distinct)
    .describe("The types of events that the webhook receives, or `*` for all."),
  filters: z
    .array(filter)
    .max(100, "takes at most 100 filters")
    .transform(distinct)
    .describe(
      "Sender addresses or domains: the webhook receives only events of mail from one of them. Empty for all.",
    ),
};

/**
 * Refuses a URL that can't be delivered to, or must not be, such as the service's own. The address of a name is checked
 * at each delivery. Throws `validation_failed` for the field `url`.
 */
export function assertTarget(url: string, { webhooks, baseUrl }: Config): void {
  const fault = checkTargetUrl(url, webhooks.allowPrivate);
  if (fault !== undefined) throw fieldError("url", fault);
  if (!webhooks.allowPrivate && hostOf(url) === hostOf(baseUrl))
    throw fieldError("url", "must not lead to this service itself");
}

/** Returns a URL's host and port, without the dot that may end a host's name. */
function hostOf(url: string): string {
  const { hostname, port } = new URL(url);
  return `${hostname.replace(/\.$/, "")}:${port}`;
}
