/** Why a name leads nowhere: it has no address, no name server said so in time, or one of its addresses may not be connected to. */
export type LookupReason = "not_found" | "unavailable" | "blocked";

const words: Record<LookupReason, string> = {
  not_found: "has no address",
  unavailable: "could not be looked up: no name server answered",
  blocked: "leads to an address that is not public",
};

/** A host name that can't be connected to. `reason` says whether it may be otherwise soon: `unavailable` passes. */
export class LookupFault extends Error {
  override readonly name = "LookupFault";
  readonly reason: LookupReason;

  constructor(hostname: string, reason: LookupReason) {
    super(`${hostname} ${words[reason]}`);
    this.reason = reason;
  }
}
