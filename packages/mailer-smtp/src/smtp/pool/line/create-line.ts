import type { MailHold } from "@posthorn/core";
import { quit } from "../../connection/open-connection.ts";
import type { Delivery } from "../../conversation/delivery.ts";
import { closedHold } from "../closed-hold.ts";
import type { PoolClock } from "../pool-clock.ts";
import type { Pace } from "../server/create-pace.ts";
import type { ServerState } from "../server/create-server-state.ts";
import { silence } from "../silence.ts";
import type { HostPlace } from "./create-host-places.ts";
import { createIdleConnections, type PooledConnection } from "./create-idle-connections.ts";
import { createLargePlaces, isLarge } from "./create-large-places.ts";
import { createRest } from "./create-rest.ts";
import { createWaiting } from "./create-waiting.ts";
import type { Line, Turn } from "./line.ts";
import { watchStops } from "./watch-stops.ts";

/** Ms of waiting beyond which a message is better handed back to the queue. */
const longestWait = 10_000;
/** Messages that a connection carries at least before it gives its place to another busy server's. */
const fairTurn = 10;
/** Ms that a message whose envelope was sent ahead waits for the reply to the content before it. */
const slowContent = 1000;

interface Waiter {
  delivery: Delivery;
  isFresh: boolean;
  mayFollow: boolean;
  give: (turn: Turn) => void;
}

interface LineOptions {
  state: ServerState;
  pace: Pace;
  clock: PoolClock;
  /** Ms that an idle connection is kept. */
  idleTime: number;
  /** Counts the connections to one host together. */
  place?: HostPlace;
}

/** Creates an empty queue. */
export function createLine({ state, pace, clock, idleTime, place }: LineOptions): Line {
  const idle = createIdleConnections(idleTime, end);
  const large = createLargePlaces(() => state.places(clock.now()));
  const waiting = createWaiting<Waiter>(({ delivery }) => large.hasFor(delivery));
  /** Messages whose envelope was sent ahead. Not a Map: one that changes with each keeps later ones from young collections. */
  const bookings: { pooled: PooledConnection; one: Waiter }[] = [];
  /** When a service stops, its waiting messages are returned at once, which leaves the turns to messages under way. */
  const stops = watchStops((signal) => dismiss(closedHold, ({ delivery }) => delivery.signal === signal));
  const rest = createRest<Waiter>({ clock, hasOthers: () => waiting.size > 0, wake });
  let open = 0;
  let closing = 0;
  let active = 0;
  let isRetired = false;
  let cancelTimer: (() => void) | undefined;

  /** A connection counts until it is closed, because servers count it until then. */
  function end(pooled: PooledConnection): void {
    closing += 1;
    quit(pooled.connection, () => {
      closing -= 1;
      gone();
      dispatch();
    });
  }

  function gone(): void {
    open -= 1;
    place?.free();
  }

  /** Whether to keep a connection: not above the limit, nor for long if other pools wait for one. */
  const isSurplus = (): boolean => isRetired || open - closing > Math.max(1, state.places(clock.now()));

  function isWorthKeeping({ messages }: PooledConnection): boolean {
    if (isSurplus()) return false;
    return place?.isWanted() !== true || (waiting.first() !== undefined && messages < fairTurn);
  }

  function give(turn: Turn): void {
    const one = waiting.take();
    if (turn.kind !== "held" && one !== undefined) {
      active += 1;
      large.take(one.delivery);
      pace.take(clock.now());
    }
    one?.give(turn);
  }

  /** Takes a message off the connection on which its envelope was sent ahead. Unless it takes its turn now, the connection can only be closed. */
  function unbook(pooled: PooledConnection): Waiter | undefined {
    const at = bookings.findIndex((booking) => booking.pooled === pooled);
    const [booking] = at === -1 ? [] : bookings.splice(at, 1);
    pooled.watchdog.rest();
    return booking?.one;
  }

  /** Gives these messages a hold instead of a turn, also if their envelope was sent ahead: no content follows it. */
  function dismiss(hold: MailHold, isMeant: (one: Waiter) => boolean): void {
    const leaving = [...rest.take(isMeant), ...waiting.remove(isMeant)];
    for (const { pooled, one } of [...bookings])
      if (isMeant(one)) {
        unbook(pooled);
        leaving.push(one);
      }
    for (const one of leaving) one.give({ kind: "held", hold });
    unwatchIfOver();
  }

  const isBusy = (): boolean => active > 0 || waiting.size > 0 || !rest.isEmpty();

  const unwatchIfOver = (): void => {
    if (isRetired && !isBusy()) stops.unwatch();
  };

  /** Returns a message that waits for turns under way, once the server has been silent for its patience. */
  function listen(one: Waiter, patience: number): void {
    const since = clock.now();
    const look = (): void => {
      const now = clock.now();
      const next = Math.max(since, state.heardAt()) + patience;
      // Waiting for other pools' connections or for a known rate limit is not the server's silence.
      const isTold = next > now || active === 0 || pace.delay(now) > 0;
      if (isTold) {
        cancel = clock.after(Math.max(next - now, patience / 4), look);
        return;
      }
      dismiss(silence(`no answer within ${patience} ms`), (other) => other === one);
    };
    let cancel = clock.after(patience, look);
    const { give } = one;
    one.give = (turn) => {
      cancel();
      give(turn);
    };
  }

  /** Gives as many turns as are free now. */
  function dispatch(): void {
    for (let first = waiting.first(); first !== undefined; first = waiting.first()) {
      const now = clock.now();
      const hold = state.hold(now);
      if (hold !== undefined) {
        dismiss(hold, () => true);
        return;
      }
      const delay = pace.delay(now);
      if (delay > 0) {
        later(delay);
        return;
      }
      const places = state.places(now);
      if (active >= places) return;
      const pooled = first.isFresh ? undefined : idle.take();
      if (pooled !== undefined) give({ kind: "reused", pooled, isAhead: false });
      else if (open < places && place?.take() !== false) {
        open += 1;
        give({ kind: "new" });
      } else {
        // Only an idle connection that is not fresh can be in the way here, be it in the host's last place.
        const spare = closing === 0 ? idle.take() : undefined;
        if (spare !== undefined) end(spare);
        return;
      }
    }
  }

  /** Passes a connection worth keeping straight to the next message; returns whether a message could take it. */
  function handOn(pooled: PooledConnection): boolean {
    const first = waiting.first();
    const now = clock.now();
    if (first === undefined || first.isFresh) return false;
    if (state.hold(now) !== undefined || pace.delay(now) > 0) return false;
    give({ kind: "reused", pooled, isAhead: false });
    return true;
  }

  /**
   * Passes a connection to the message whose envelope was sent ahead; returns whether that was possible. Otherwise the
   * message waits again, and the connection must be closed, because the server expects the content.
   */
  function passOn(pooled: PooledConnection, isKept: boolean): boolean {
    const one = unbook(pooled);
    if (one === undefined) return false;
    const now = clock.now();
    if (isKept && !isSurplus() && active < state.places(now) && state.hold(now) === undefined) {
      pooled.isAhead = false;
      active += 1;
      one.give({ kind: "reused", pooled, isAhead: true });
      return true;
    }
    waitAgain(one);
    return false;
  }

  /** Puts a message whose envelope was sent ahead in vain first in the queue: it goes the plain way. */
  function waitAgain(one: Waiter): void {
    one.mayFollow = false;
    waiting.addFirst(one);
  }

  /** Puts a message that rested for long enough first in the queue. */
  function wake(one: Waiter): void {
    waiting.addFirst(one);
    dispatch();
  }

  function later(ms: number): void {
    cancelTimer?.();
    cancelTimer = clock.after(Math.ceil(ms), dispatch);
  }

  /** If the rate is so low that a message would wait for long, it is returned. */
  function tooLong(delivery: Delivery): MailHold | undefined {
    const rate = pace.rate();
    const ms = rate === undefined ? 0 : (waiting.before({ delivery }) / rate) * 1000;
    if (ms <= longestWait) return undefined;
    const reason = `at most ${Number(rate?.toPrecision(2))} messages per second for now`;
    return { cause: "limited", reason, retryAfterMs: Math.ceil(ms - longestWait / 2) };
  }

  return {
    turn(delivery, { isFresh, isAgain, rests, isWhole }) {
      const { signal, patience } = delivery;
      const hold = signal?.aborted ? closedHold : isAgain ? undefined : tooLong(delivery);
      if (hold !== undefined) return Promise.resolve({ kind: "held", hold });
      return new Promise((resolve) => {
        const one: Waiter = {
          delivery,
          isFresh,
          mayFollow: isWhole && (!isAgain || rests) && !isLarge(delivery),
          give: resolve,
        };
        if (signal !== undefined) stops.watch(signal);
        if (patience !== undefined) listen(one, patience);
        // A message that comes for a second turn was here before the others.
        if (rests) rest.add(one);
        else if (isAgain) waiting.addFirst(one);
        else waiting.add(one);
        dispatch();
      });
    },
    follow(pooled, { fits, late }) {
      const first = waiting.first();
      const now = clock.now();
      if (first === undefined || !first.mayFollow || !fits(first.delivery)) return undefined;
      if (active > state.places(now) || !isWorthKeeping(pooled)) return undefined;
      if (state.hold(now) !== undefined || pace.delay(now) > 0) return undefined;
      waiting.take();
      pace.take(now);
      pooled.isAhead = true;
      bookings.push({ pooled, one: first });
      pooled.watchdog.wake(slowContent, () => {
        unbook(pooled);
        waitAgain(first);
        late();
        dispatch();
      });
      return first.delivery;
    },
    pass() {
      const rested = rest.pass();
      if (rested.length > 0) waiting.addFirst(...rested);
    },
    over(delivery, pooled, then) {
      const isKept = then === "keep";
      active -= 1;
      large.free(delivery);
      if (pooled === undefined) gone();
      else if (pooled.isAhead) {
        if (passOn(pooled, isKept)) return;
        pooled.connection.channel.destroy();
        end(pooled);
      } else if (isKept && isWorthKeeping(pooled)) {
        if (handOn(pooled)) return;
        idle.keep(pooled);
      } else end(pooled);
      dispatch();
      unwatchIfOver();
    },
    look: dispatch,
    open: () => open - closing,
    isBusy,
    isAlone: () => active <= 1 && waiting.size === 0 && rest.isEmpty(),
    spare() {
      const pooled = idle.take();
      if (pooled !== undefined) end(pooled);
      return pooled !== undefined;
    },
    retire() {
      isRetired = true;
      for (let pooled = idle.take(); pooled !== undefined; pooled = idle.take()) end(pooled);
      unwatchIfOver();
    },
    dismiss: (hold) => dismiss(hold, () => true),
  };
}
