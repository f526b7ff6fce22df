import type { Listing, Slice } from "./paging.ts";

/** Origin of a suppression. */
export type SuppressionOrigin = "manual" | "bounce" | "complaint" | "unsubscribe" | "import";

/** The reply recorded for a suppressed recipient. */
export const suppressionReply = (origin: SuppressionOrigin): string => `suppressed: ${origin}`;

/** The scope of a suppression of all mail. */
export const everyScope = "*";

/** A suppression of mail, or of mail of one list, to an address or a domain (platform.md P8). */
export interface Suppression {
  /** The workspace's number. */
  workspaceId: number;
  /** `*` for all mail, or the name of the list whose mail it stops. */
  scope: string;
  /** Key for comparison: an address in lower case, or `@` and a domain. */
  addressKey: string;
  /** The address as given. */
  address: string;
  /** Its origin. */
  origin: SuppressionOrigin;
  /** The reason as free text; empty if none was given. */
  reason: string;
  /** Id of the e-mail that led to it. */
  emailId: string | undefined;
  /** Number of the user who created it; `undefined` if no user did. */
  createdBy: number | undefined;
  /** When it was created, ms since the epoch. */
  createdAt: number;
  /** When it expires, ms since the epoch; `undefined` for never. */
  expiresAt: number | undefined;
}

/** Filters of a list of suppressions. All given ones must match. */
export interface SuppressionFilter {
  /** The workspace's number. */
  workspaceId: number;
  /** Beginning of an address, or `@` and the beginning of a domain, in lower case. */
  q?: string | undefined;
  /** Only suppressions of this origin. */
  origin?: SuppressionOrigin | undefined;
  /** Only suppressions of this scope: `*`, or a list's name. */
  scope?: string | undefined;
  /** Only those created at or after this time, ms since the epoch. */
  from?: number | undefined;
  /** Only those created before this time, ms since the epoch. */
  until?: number | undefined;
}

/** Identifies a suppression within its workspace. */
export interface SuppressionName {
  /** `*` for all mail, or a list's name. */
  scope: string;
  /** An address in lower case, or `@` and a domain. */
  addressKey: string;
}

/** Outcome for an entry. A stronger existing one is left unchanged. */
export type PutOutcome = PutResult["outcome"];

/** Outcome for an entry, and what the entry that it replaced was. */
export type PutResult =
  | { outcome: "added" | "unchanged" }
  | { outcome: "updated"; former: Pick<Suppression, "origin" | "expiresAt"> };

/** Suppressions. An expired one counts as absent. */
export interface Suppressions {
  /**
   * Stores each entry unless one that ends no earlier exists for its scope and address; of those that last as long, a
   * complaint takes the place of another origin, as fewer people may delete it. Returns the results in their order. Of
   * concurrent entries for one address, exactly one is `added`. Other transactions with entries for the same addresses
   * wait for this one.
   */
  put(entries: Suppression[], now: number): Promise<PutResult[]>;
  /** Finds one; `undefined` if there is none, or it has expired. */
  find(workspaceId: number, name: SuppressionName, now: number): Promise<Suppression | undefined>;
  /** Finds the entries of all scopes under any of the keys, including expired ones. */
  findUnder(wanted: { workspaceId: number; addressKey: string }[]): Promise<Suppression[]>;
  /** Lists them, newest first. */
  list(filter: SuppressionFilter, slice: Slice, now: number): Promise<Listing<Suppression>>;
  /** Lists entries in the order of their insertion, after the one with this `cursor`; 0 for the beginning. */
  listAfter(
    workspaceId: number,
    cursor: number,
    limit: number,
    now: number,
  ): Promise<(Suppression & { cursor: number })[]>;
  /**
   * Puts the one that an unsubscription replaced back in its place, unless that one has ended. Returns it; `undefined` if
   * nothing changed.
   */
  restoreReplaced(workspaceId: number, name: SuppressionName, now: number): Promise<Suppression | undefined>;
  /** Deletes one and returns it; `undefined` if there was none, or it had expired. */
  delete(workspaceId: number, name: SuppressionName, now: number): Promise<Suppression | undefined>;
  /** Deletes expired rows, at most `limit`. Returns their number. */
  deleteExpired(now: number, limit: number): Promise<number>;
}
