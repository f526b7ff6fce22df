import type { SealedColumn, SealedText } from "./sealed-texts.ts";

/**
 * A fact that a database stores about itself: the fingerprint of its secret key, that of the one which is replacing it,
 * the key of erased addresses, its creator, the hosts that sending domains were last checked against (JSON), the time that
 * retention goes by, the id of the last event that retention removed, the timeline of its server, when its file was
 * created (ns since the epoch), in a copy that nobody has delivered from yet, when the copy was made (ISO 8601), and that
 * a copy from another database is not complete.
 */
export type FactName =
  | "secret_key"
  | "secret_key_replacement"
  | "erasure_key"
  | "made_by"
  | "domain_hosts"
  | "retention_time"
  | "events_removed"
  | "timeline"
  | "file"
  | "restored_copy"
  | "incomplete_copy";

/** What a stored secret that can be set anew belongs to. */
export interface SecretHolder {
  /** What it is. */
  kind: "webhook" | "smtp_server" | "inbound_endpoint" | "domain" | "user";
  /** A user's number, or the UUID. */
  id: string;
  /** `undefined` for a user. */
  workspaceId: number | undefined;
  /** A webhook's URL, an endpoint's provider, a user's address, or the name. */
  name: string;
}

/** Workers, jobs, and facts about the database. */
export interface Operations {
  /** Records a worker's heartbeat. */
  beat(worker: string, now: number): Promise<void>;
  /** Removes a worker that has ended. */
  forgetWorker(worker: string): Promise<void>;
  /** Lists workers seen since a time, newest first. */
  listWorkers(since: number): Promise<{ worker: string; seenAt: number }[]>;
  /**
   * Takes a job that only one process does at a time, until `until` at most. Returns whether this worker has it now. One
   * that another took by a clock far ahead, for more than twice as long, is free.
   */
  takeJob(name: string, worker: string, now: number, until: number): Promise<boolean>;
  /** Releases this worker's job. */
  endJob(name: string, worker: string): Promise<void>;
  /** Takes workers that were seen only after `after` as seen at `now`: a clock that was ahead said so. */
  restoreSeen(after: number, now: number): Promise<void>;
  /** Deletes workers not seen since `before`. Returns their number. */
  deleteWorkers(before: number, limit: number): Promise<number>;
  /** Finds a fact; `undefined` if there is none. */
  findFact(name: FactName): Promise<string | undefined>;
  /** Stores a fact if there is none of that name. Returns the stored one, whoever was first. */
  keepFact(name: FactName, value: string): Promise<string>;
  /** Stores a fact, replacing a former one. */
  replaceFact(name: FactName, value: string): Promise<void>;
  /** Deletes a fact, if there is one. */
  forgetFact(name: FactName): Promise<void>;
  /**
   * Lists, by kind and in the order of their creation, what has a secret whose sealed text does not begin with `prefix`:
   * another secret key sealed it. At most `limit` of each kind.
   */
  listSealedOtherwise(prefix: string, limit: number): Promise<SecretHolder[]>;
  /** Lists a piece of a column's sealed texts in the order of their rows, those after `after`; none at its end. */
  listSealed(column: SealedColumn, after: number): Promise<SealedText[]>;
  /** Replaces sealed texts of a column by others, all or none; not those that have changed meanwhile. */
  replaceSealed(
    column: SealedColumn,
    texts: readonly { row: number; sealed: string; resealed: string }[],
  ): Promise<void>;
  /**
   * Sums up what counters have spread over rows, as on an engine that goes on in new ones while old versions are kept;
   * at most `limit` rows. Returns their number, 0 within a transaction. No sum changes, and nothing that others count
   * meanwhile is lost.
   */
  foldCounters(limit: number): Promise<number>;
  /**
   * Never assigns the ids that the original of a restored copy may have assigned, `skippedIds` of each table, nor those
   * of rows that came without their tables' counters.
   */
  skipIds(): Promise<void>;
}
