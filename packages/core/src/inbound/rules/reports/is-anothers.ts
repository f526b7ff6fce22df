import { addressKey } from "../../../rules/address-key.ts";
import { parseAddress } from "../../../rules/addresses.ts";
import type { Finding } from "./report.ts";

/**
 * Whether a bounce is of somebody to whom the recipient's mail is forwarded: an alias may have other members, whom it
 * reaches. Within a name, as of `ada@example.com` and `ada@mail.example.com`, the mailbox is the same.
 */
export function isAnothers(
  { kind, addresses }: Pick<Finding, "kind" | "addresses">,
  recipient: string,
): boolean {
  const reached = addresses.at(-1);
  if (kind === "complaint" || reached === undefined) return false;
  return mailboxName(reached) !== mailboxName(recipient);
}

/** Returns the part before the domain, without a detail such as `+news`, which servers remove on the way. */
function mailboxName(address: string): string {
  const [local = ""] = addressKey(parseAddress(address) ?? address).split("@", 1);
  const detail = local.indexOf("+", 1);
  return detail < 0 ? local : local.slice(0, detail);
}
