import type { Listing, Slice } from "./paging.ts";

/** Where a suppression came from. */
export type SuppressionOrigin = "manual" | "bounce" | "complaint" | "unsubscribe" | "import";

/** What stands as the reply of a recipient that nothing is sent to. */
export const suppressionReply = (origin: SuppressionOrigin): string => `suppressed: ${origin}`;

/** The scope of a suppression that holds for everything. */
export const everyScope = "*";

/** That nothing, or nothing of a list, goes to an address or a domain any more (platform.md P8). */
export interface Suppression {
  /** The workspace's number. */
  workspaceId: number;
  /** `*` for everything, or the list whose mail it stops. */
  scope: string;
  /** What it is compared by: an address in lower case, or `@` and a domain. */
  addressKey: string;
  /** As it was given. */
  address: string;
  /** Where it came from. */
  origin: SuppressionOrigin;
  /** Why, in words; empty where nobody said. */
  reason: string;
  /** The e-mail that led to it. */
  emailId: string | undefined;
  /** The user who put it there; `undefined` where nobody did. */
  createdBy: number | undefined;
  /** When it was made, ms since the epoch. */
  createdAt: number;
  /** `undefined`: for ever. */
  expiresAt: number | undefined;
}

/** Which suppressions to list; each that is given must fit. */
export interface SuppressionFilter {
  /** The workspace's number. */
  workspaceId: number;
  /** The beginning of an address, or `@` and the beginning of a domain; in lower case. */
  q?: string | undefined;
  /** Those from there. */
  origin?: SuppressionOrigin | undefined;
  /** Those of this scope: `*`, or a list's. */
  scope?: string | undefined;
  /** Those made at this time or later, ms since the epoch. */
  from?: number | undefined;
  /** Those made before this time, ms since the epoch. */
  until?: number | undefined;
}

/** What names one suppression within its workspace. */
export interface SuppressionName {
  /** `*` for everything, or a list. */
  scope: string;
  /** An address in lower case, or `@` and a domain. */
  addressKey: string;
}

/** What became of an entry: a stronger one that stood already is left as it is. */
export type PutOutcome = "added" | "updated" | "unchanged";

/** Whom nothing is sent to. One that has expired is as good as gone. */
export interface Suppressions {
  /**
   * Keeps each entry where none stands for its scope and address, or only one that ends earlier; what became of each, in their order. Of
   * those that come at once, for one address, exactly one is `added`. Other transactions' entries for the same addresses wait for this one.
   */
  put(entries: Suppression[], now: number): Promise<PutOutcome[]>;
  /** `undefined` where there is none, or it has expired. */
  find(workspaceId: number, name: SuppressionName, now: number): Promise<Suppression | undefined>;
  /** The entries of all scopes under any of the keys, expired ones included. */
  findUnder(wanted: { workspaceId: number; addressKey: string }[]): Promise<Suppression[]>;
  /** Newest first. */
  list(filter: SuppressionFilter, slice: Slice, now: number): Promise<Listing<Suppression>>;
  /** In the order in which they were kept, from behind the one that a `cursor` came with; 0 begins. */
  listAfter(
    workspaceId: number,
    cursor: number,
    limit: number,
    now: number,
  ): Promise<(Suppression & { cursor: number })[]>;
  /** Whether there was one. */
  delete(workspaceId: number, name: SuppressionName): Promise<boolean>;
  /** Removes what has expired, at most `limit` rows; how many. */
  deleteExpired(now: number, limit: number): Promise<number>;
}
