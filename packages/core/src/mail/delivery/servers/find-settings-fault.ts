import type { BounceRule } from "../../../inbound/rules/bounces/bounce-rule.ts";
import { classifyRefusal } from "../../../inbound/rules/bounces/classify-refusal.ts";
import type { MailResult } from "../../../ports/mailer.ts";

/**
 * Returns the reply that says that the settings of the server or the account are at fault and not the mail, without
 * recipients' addresses; `undefined` if there is none (platform.md P5 and P7).
 */
export function findSettingsFault(
  { recipients }: MailResult,
  rules: readonly BounceRule[],
): string | undefined {
  const fault = recipients.find(({ outcome, code = 0, reply, atRecipient }) => {
    if (code < 500 || outcome === "accepted") return false;
    // A permanent refusal that is only deferred: the account may not send as the sender.
    if (outcome === "deferred") return true;
    const stage = atRecipient === true ? "recipient" : "content";
    return classifyRefusal({ code, reply, stage }, rules).class === "setting";
  });
  // The same words for every recipient; and nobody's address stays when the e-mail is erased.
  return fault && recipients.reduce((reply, { address }) => withoutAddress(reply, address), fault.reply);
}

/** Servers repeat an address in lower case, or in the one that they have stored. */
const withoutAddress = (reply: string, address: string): string =>
  reply.replace(new RegExp(address.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"), "giu"), "…");
