/** The state of the queue's machinery: pause, and who works. */
export interface Operations {
  /** Whether delivery of e-mails is paused by an operator. */
  isPaused(): Promise<boolean>;
  setPaused(paused: boolean): Promise<void>;
  /** Says that a worker lives. */
  beat(worker: string, now: number): Promise<void>;
  /** Workers seen since, newest first. */
  listWorkers(since: number): Promise<{ worker: string; seenAt: number }[]>;
}
