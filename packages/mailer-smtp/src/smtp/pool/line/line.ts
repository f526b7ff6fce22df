import type { MailHold } from "@posthorn/core";
import type { Delivery } from "../../conversation/delivery.ts";
import type { PooledConnection } from "./create-idle-connections.ts";

/**
 * Result of waiting: a connection, on which the message's envelope may already have been sent; permission to open
 * one; or a hold.
 */
export type Turn =
  | { kind: "reused"; pooled: PooledConnection; isAhead: boolean }
  | { kind: "new" }
  | { kind: "held"; hold: MailHold };

/** The queue of messages for one server: which goes next, when, and on which connection. */
export interface Line {
  /**
   * Waits for a turn, until the message's `signal` is aborted, or until the server has not replied to any message for
   * its `patience`. `isFresh`: the message needs a new connection. `isAgain`: it had a turn before. `rests`: it lets others go
   * first now. `isWhole`: its envelope is that of the delivery, which may be sent ahead.
   */
  turn(
    delivery: Delivery,
    how: { isFresh: boolean; isAgain: boolean; rests: boolean; isWhole: boolean },
  ): Promise<Turn>;
  /**
   * The message that goes next on a connection whose content is about to be sent, so that its envelope can be sent with
   * it; `undefined` if none waits, or none may go. Its turn comes once the content is answered. If that takes long,
   * `late` is called and the message goes another way.
   */
  follow(
    pooled: PooledConnection,
    options: { fits: (delivery: Delivery) => boolean; late: () => void },
  ): Delivery | undefined;
  /** Ends a message's turn: its connection, if one was made, is kept for other messages or closed. */
  over(delivery: Delivery, connection: PooledConnection | undefined, then: "keep" | "close"): void;
  /** Checks for free turns after the number of allowed connections was raised. */
  look(): void;
  /** Connections that are open or being opened. */
  open(): number;
  /** What becomes of a message that never rested is known: call before its turn is over, for those that let it go first. */
  pass(): void;
  /** Whether there are turns that have not ended, or messages that wait for one. */
  isBusy(): boolean;
  /** Whether there is no message but one that has a turn. */
  isAlone(): boolean;
  /** Closes an idle connection, so that another pool can open one; returns whether there was one. */
  spare(): boolean;
  /** Closes idle connections now, and each other connection after its turn. */
  retire(): void;
  /** Gives every waiting message this hold instead of a turn. */
  dismiss(hold: MailHold): void;
}
