import { addressKey } from "../../rules/address-key.ts";
import { domainOf } from "../../rules/addresses.ts";

/**
 * Whether a webhook wants an event of a sender (decisions §10): it must subscribe to the type or `*`, and have no
 * filters or one that matches: they are stored as compared.
 */
export function wantsEvent(
  webhook: { events: readonly string[]; filters: readonly string[] },
  type: string,
  sender: string | undefined,
): boolean {
  if (!webhook.events.includes("*") && !webhook.events.includes(type)) return false;
  if (webhook.filters.length === 0 || sender === undefined) return true;
  const address = addressKey(sender);
  const domain = domainOf(sender);
  return webhook.filters.some((filter) => filter === address || filter === domain);
}
