/** What a database knows of itself: the fingerprint of the secret key it was begun with, and who made it. */
export type FactName = "secret_key" | "made_by";

/** The state of the queue's machinery: pause, and who works; and what the database knows of itself. */
export interface Operations {
  /** Whether delivery of e-mails is paused by an operator. */
  isPaused(): Promise<boolean>;
  setPaused(paused: boolean): Promise<void>;
  /** Says that a worker lives. */
  beat(worker: string, now: number): Promise<void>;
  /** Says that a worker has ended. */
  forgetWorker(worker: string): Promise<void>;
  /** Workers seen since, newest first. */
  listWorkers(since: number): Promise<{ worker: string; seenAt: number }[]>;
  findFact(name: FactName): Promise<string | undefined>;
  /** Keeps a fact where none is kept by that name; the one that stands, whoever was first. */
  keepFact(name: FactName, value: string): Promise<string>;
  /** Keeps a fact in place of the former one. */
  replaceFact(name: FactName, value: string): Promise<void>;
}
