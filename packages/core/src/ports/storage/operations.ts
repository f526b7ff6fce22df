/**
 * What a database knows of itself: the fingerprint of the secret key it was begun with, the key of erased addresses, who made it, and
 * where it is a copy that nobody has delivered from yet, of when (ISO 8601).
 */
export type FactName = "secret_key" | "erasure_key" | "made_by" | "restored_copy";

/** Who works on the storage, and what the database knows of itself. */
export interface Operations {
  /** Says that a worker lives. */
  beat(worker: string, now: number): Promise<void>;
  /** Says that a worker has ended. */
  forgetWorker(worker: string): Promise<void>;
  /** Workers seen since, newest first. */
  listWorkers(since: number): Promise<{ worker: string; seenAt: number }[]>;
  /** Takes a job that one process at a time does, until `until` at the most; whether it is this worker's now. */
  takeJob(name: string, worker: string, now: number, until: number): Promise<boolean>;
  /** Gives a job of this worker's back. */
  endJob(name: string, worker: string): Promise<void>;
  /** Forgets workers not seen since `before`; how many. */
  deleteWorkers(before: number, limit: number): Promise<number>;
  /** `undefined` where none is kept. */
  findFact(name: FactName): Promise<string | undefined>;
  /** Keeps a fact where none is kept by that name; the one that stands, whoever was first. */
  keepFact(name: FactName, value: string): Promise<string>;
  /** Keeps a fact in place of the former one. */
  replaceFact(name: FactName, value: string): Promise<void>;
  /** Removes a fact, if there is one. */
  forgetFact(name: FactName): Promise<void>;
}
