/**
 * Why a name can't be connected to: it has no address, no name server answered in time, or one of its addresses is not
 * allowed.
 */
export type LookupReason = "not_found" | "unavailable" | "blocked";

const words: Record<LookupReason, string> = {
  not_found: "has no address",
  unavailable: "could not be looked up: no name server answered",
  blocked: "leads to an address that is not public",
};

/** Error for a host name that can't be connected to. Only the reason `unavailable` is temporary. */
export class LookupFault extends Error {
  override readonly name = "LookupFault";
  readonly reason: LookupReason;

  constructor(hostname: string, reason: LookupReason) {
    super(`${hostname} ${words[reason]}`);
    this.reason = reason;
  }
}
