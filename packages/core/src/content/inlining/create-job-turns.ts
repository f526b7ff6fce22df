/** Queue of jobs that wait for a thread, by owner. */
export interface JobTurns<Owner, Job> {
  /** Queues a job. Returns false if too many wait, for the owner or in total. */
  add(owner: Owner, job: Job): boolean;
  /**
   * Takes the next job of an owner without a job in progress; `undefined` if there is none. The job is in progress
   * until `done`.
   */
  take(): { owner: Owner; job: Job } | undefined;
  done(owner: Owner): void;
  /** Removes and returns all waiting jobs. */
  clear(): Job[];
}

/** Creates a queue in which owners take turns, however many jobs each has, with one job in progress for each. */
export function createJobTurns<Owner, Job>(limits: { each: number; all: number }): JobTurns<Owner, Job> {
  /** Owners in the order of their turns. */
  const owners = new Map<Owner, { waiting: Job[]; busy: boolean }>();
  let total = 0;
  return {
    add(owner, job) {
      const queue = owners.get(owner) ?? { waiting: [], busy: false };
      if (queue.waiting.length >= limits.each || total >= limits.all) return false;
      queue.waiting.push(job);
      total += 1;
      owners.set(owner, queue);
      return true;
    },
    take() {
      for (const [owner, queue] of owners) {
        const job = queue.busy ? undefined : queue.waiting.shift();
        if (job === undefined) continue;
        total -= 1;
        queue.busy = true;
        owners.delete(owner);
        owners.set(owner, queue);
        return { owner, job };
      }
      return undefined;
    },
    done(owner) {
      const queue = owners.get(owner);
      if (queue === undefined) return;
      queue.busy = false;
      if (queue.waiting.length === 0) owners.delete(owner);
    },
    clear() {
      const jobs = [...owners.values()].flatMap(({ waiting }) => waiting.splice(0));
      total = 0;
      return jobs;
    },
  };
}
