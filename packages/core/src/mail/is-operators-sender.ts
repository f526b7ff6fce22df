import { addressKey } from "../rules/address-key.ts";
import { domainOf } from "../rules/addresses.ts";
import type { Runtime } from "../service/runtime.ts";

/**
 * Whether a sender's address is the operator's: the default sender's, or of a domain that the operator's keys sign, whichever
 * server the mail goes through. Nobody sends as that for whom the operator does not vouch (decisions §12).
 */
export function isOperatorsSender(
  {
    mailer,
    config: { defaultSender },
  }: Pick<Runtime, "mailer"> & { config: Pick<Runtime["config"], "defaultSender"> },
  address: string,
): boolean {
  if (defaultSender !== undefined && addressKey(address) === addressKey(defaultSender.address)) return true;
  return mailer.signs?.(domainOf(address)) === true;
}
