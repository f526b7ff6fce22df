import type { Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { createWatchdog } from "./create-watchdog.ts";
import { describeError, isTlsError } from "./describe-error.ts";
import { createReplyReader, type SmtpReply } from "./reply-reader.ts";
import { SmtpFault, type SmtpFaultKind } from "./smtp-fault.ts";

/** The client's side of an SMTP conversation: writes bytes and reads replies, each within a time-out. */
export interface ReplyChannel {
  readonly socket: Socket;
  /**
   * Resolves with the next reply in order; rejects with an SmtpFault if the server disconnects, times out or breaks the
   * protocol.
   */
  read(timeout: number, what: string): Promise<SmtpReply>;
  /** Writes and resolves once the system has accepted everything; rejects with an SmtpFault, also if a reply arrives. */
  flush(data: Buffer, timeout: number): Promise<void>;
  /**
   * Writes without waiting, all of it at once, when all replies to what was written before have been read. Errors appear
   * at the next `read`; so does a reply that is there already, which would otherwise count as the answer to this.
   */
  write(data: string | Buffer, more?: string): void;
  /** Limits the following waits to `ms` altogether, what is left of `total`; each of them still has its time-out. */
  endWithin(ms: number, total: number): void;
  /** Whether there was no error and the server sent nothing unasked. */
  isQuiet(): boolean;
  /** Returns a reply that is there though all replies were read; not a 421, which a server may send unasked. */
  unasked(): SmtpReply | undefined;
  /** Whether there was an error, after which nothing more is read. */
  isBroken(): boolean;
  /** Takes a reply that has already arrived. */
  takeEarly(): SmtpReply | undefined;
  /** Called when the server writes to or closes the idle connection. */
  onDisturbance(listener: (() => void) | undefined): void;
  /**
   * Gives up the socket without closing it, so that TLS can take it over. Fails if the server has already sent more.
   */
  release(): void;
  destroy(): void;
}

/** Replies that arrive before they are read: to a transaction's pipelined commands, and no more. */
const maxEarlyReplies = 2000;
const maxEarlyBytes = 2 * 1024 * 1024;

/** Reads replies from a connected socket. */
export function createReplyChannel(socket: Socket): ReplyChannel {
  const inbox = createInbox(socket);
  const { replies } = inbox;
  return {
    socket,
    read(timeout, what) {
      const early = replies.shift();
      if (early !== undefined) return Promise.resolve(early);
      return new Promise((resolve, reject) =>
        inbox.wait(() => replies.shift(), {
          resolve,
          reject,
          timeout,
          what,
          lost: `before its answer to ${what}`,
        }),
      );
    },
    async flush(data, timeout) {
      let isFlushed = false;
      socket.write(data, (error) => {
        isFlushed = error === null || error === undefined;
        inbox.wake();
      });
      await new Promise<void>((resolve, reject) =>
        // A server that refuses a message in its middle may read no more of it.
        inbox.wait(() => isFlushed || replies.length > 0 || undefined, {
          resolve: () => resolve(),
          reject,
          timeout,
          what: "the message",
          lost: "in the middle of the message",
        }),
      );
      // Reads what has arrived: the next write after a reset fails, and the reply before it would be lost. The first
      // turn may be of the round in which the server was last read, such as when it said to go on.
      await turn();
      await turn();
      const early = replies.shift();
      if (early !== undefined) throw earlyFault(early);
    },
    write(data, more) {
      const unasked = inbox.unasked();
      if (unasked !== undefined) {
        replies.length = 0;
        return inbox.fail(unaskedFault(unasked));
      }
      if (more !== undefined) socket.cork();
      if (typeof data === "string") socket.write(data, "utf8");
      else socket.write(data);
      if (more === undefined) return;
      socket.write(more, "utf8");
      socket.uncork();
    },
    endWithin: inbox.endWithin,
    isQuiet: () => inbox.fault() === undefined && replies.length === 0 && !inbox.isPartial(),
    unasked: inbox.unasked,
    isBroken: () => inbox.fault() !== undefined,
    takeEarly: () => replies.shift(),
    onDisturbance: inbox.onDisturbance,
    release() {
      // Data that arrived before TLS was set up may be an attacker's (CVE-2011-0411).
      if (inbox.fault() !== undefined || replies.length > 0 || inbox.isPartial()) {
        throw inbox.fault() ?? new SmtpFault("protocol", "the server sent more than one reply to STARTTLS");
      }
      inbox.stop();
    },
    destroy: () => inbox.fail(new SmtpFault("network", "the connection is closed")),
  };
}

/** The fault of a server whose replies can no longer be told apart. */
export const unaskedFault = ({ text }: SmtpReply): SmtpFault =>
  new SmtpFault("protocol", `the server sent a reply to no command: ${text}`);

/** The fault of a server that replies to a message before its end. */
export const earlyFault = (reply: SmtpReply): SmtpFault =>
  new SmtpFault("protocol", "the server answered before the end of the message", reply);

/** A pending wait for something on a socket. */
interface Waiting<T> {
  resolve(value: T): void;
  reject(fault: SmtpFault): void;
  timeout: number;
  what: string;
  /** The moment in words, for a connection that is lost at it. */
  lost: string;
}

/** Collects what arrives on a socket: replies, and the first fault, after which nothing follows. */
function createInbox(socket: Socket) {
  const replies: SmtpReply[] = [];
  let fault: SmtpFault | undefined;
  let settle: (() => void) | undefined;
  let disturbed: (() => void) | undefined;
  const watchdog = createWatchdog();
  /** By `performance.now()`. */
  let deadline = Number.POSITIVE_INFINITY;
  let totalMs = 0;

  const wake = () => {
    settle?.();
    disturbed?.();
  };
  const fail = (reason: SmtpFault) => {
    fault ??= reason;
    socket.destroy();
    watchdog.end();
    wake();
  };
  const reader = createReplyReader((reply) => replies.push(reply));
  /** Bytes since there was last no unread reply. */
  let earlyBytes = 0;
  const onData = (chunk: Buffer) => {
    if (replies.length === 0) earlyBytes = 0;
    earlyBytes += chunk.length;
    const wrong = reader.feed(chunk);
    if (wrong !== undefined) return fail(new SmtpFault("protocol", wrong));
    if (replies.length > maxEarlyReplies || (replies.length > 0 && earlyBytes > maxEarlyBytes))
      return fail(new SmtpFault("protocol", "the server sends unsolicited replies"));
    wake();
  };
  /** Makes the fault of a lost connection, with the moment that a wait for it names. */
  let loss: ((moment: string) => SmtpFault) | undefined;
  const lose = (words: (moment: string) => string, kind: SmtpFaultKind = "network") => {
    if (fault === undefined) loss = (moment) => new SmtpFault(kind, words(moment));
    fail(fault ?? new SmtpFault(kind, words("")));
  };
  const onClose = () => lose((moment) => `the server closed the connection${moment}`);
  const onEnd = () => {
    reader.end();
    onClose();
  };
  // In TLS 1.3 the server refuses a client without a certificate only after the client's handshake has ended.
  const onError = (error: NodeJS.ErrnoException) =>
    lose(
      (moment) => `connection lost${moment}: ${describeError(error)}`,
      isTlsError(error) ? "tls" : "network",
    );
  socket.on("data", onData).on("end", onEnd).on("close", onClose).on("error", onError);

  return {
    replies,
    wake,
    fail,
    fault: () => fault,
    isPartial: reader.isPartial,
    // RFC 5321 section 3.8.
    unasked: () => replies.find(({ code }) => code !== 421),
    endWithin(ms: number, total: number) {
      deadline = performance.now() + ms;
      totalMs = total;
    },
    onDisturbance(listener: (() => void) | undefined) {
      disturbed = listener;
    },
    stop() {
      watchdog.end();
      socket.off("data", onData).off("end", onEnd).off("close", onClose).off("error", onError);
    },
    /** Resolves with what `find` returns; rejects with the fault, or with one after the time-out. */
    wait<T>(find: () => T | undefined, { resolve, reject, timeout, what, lost }: Waiting<T>): void {
      settle = () => {
        const found = find();
        if (found === undefined && fault === undefined) return;
        watchdog.rest();
        settle = undefined;
        if (found !== undefined) resolve(found);
        else if (fault !== undefined) reject(loss?.(` ${lost}`) ?? fault);
      };
      settle();
      if (settle === undefined) return;
      const giveUp = () =>
        fail(
          // A timer may fire a fraction of a ms early.
          performance.now() < deadline - 1
            ? new SmtpFault("silent", `no answer to ${what} within ${timeout} ms`)
            : new SmtpFault("overdue", `the conversation took longer than ${totalMs} ms, at ${what}`),
        );
      watchdog.wake(timeout, giveUp, deadline);
    },
  };
}
