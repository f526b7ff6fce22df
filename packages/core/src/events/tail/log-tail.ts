import { AsyncResource } from "node:async_hooks";
import type { EventFilter, Storage } from "../../ports/storage.ts";
import { createTurns, type Turns } from "../../ports/turns.ts";
import { keyOfFilter } from "./filter-events.ts";
import { endWait, type Follower } from "./follower.ts";
import type { Found } from "./kept-looks.ts";
import { type TailWatch, watchTail } from "./watch-tail.ts";

/** A follower's place at the end of the log. */
export interface TailPlace {
  /** Returns what is kept after an id; `undefined` if a follower who is that far behind has to read the log itself. */
  after(id: number): Found | undefined;
  /**
   * Waits for an event after an id, at the end of the log. Resolves with the id to go on after, at once if the place was
   * given up. Rejects if the storage fails.
   */
  wait(id: number): Promise<number>;
  /** Gives the place up, and ends its wait. */
  leave(): void;
}

/** The end of a log, which all followers in this process read together. */
export interface LogTail {
  join(filter: EventFilter, passed: (id: number) => void): TailPlace;
  /** The turns of followers who have to read the log themselves. */
  loneLooks: Turns;
}

const tails = new WeakMap<Storage, LogTail>();

/** Returns the tail of a storage's log. */
export function tailOf(storage: Storage): LogTail {
  const known = tails.get(storage);
  if (known !== undefined) return known;
  const tail = createLogTail(storage);
  tails.set(storage, tail);
  return tail;
}

/**
 * Looks are made for all followers, and not in the context (`AsyncLocalStorage`) of the host's request that came first.
 * `hasRef` is Jest's question for `--detectOpenHandles`, which takes any resource without an answer for an open handle.
 */
const noContext = new (class extends AsyncResource {
  hasRef(): boolean {
    return false;
  }
})("posthorn");

function createLogTail(storage: Storage): LogTail {
  const followers = new Set<Follower>();
  let watch: TailWatch | undefined;

  const start = (): TailWatch => noContext.runInAsyncScope(watchTail, undefined, storage, followers, fail);
  function stop(): void {
    watch?.stop();
    watch = undefined;
  }
  function fail(error: unknown): void {
    stop();
    for (const follower of followers) endWait(follower)?.reject(error);
  }

  return {
    loneLooks: createTurns({ all: 1 }),
    join(filter, passed) {
      const follower = { key: keyOfFilter(filter), filter, passed, waiting: undefined };
      followers.add(follower);
      // It hears of commits from now on, before the follower's own first look.
      watch ??= start();
      watch.refocus();
      return {
        after: (id) => watch?.after(id, follower),
        wait(id) {
          if (!followers.has(follower)) return Promise.resolve(id);
          watch ??= start();
          return noContext.runInAsyncScope(watch.wait, undefined, id, follower);
        },
        leave() {
          followers.delete(follower);
          const waiting = endWait(follower);
          waiting?.resolve(waiting.after);
          if (followers.size === 0) stop();
          else watch?.refocus();
        },
      };
    },
  };
}
