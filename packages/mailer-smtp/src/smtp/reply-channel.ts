import type { Socket } from "node:net";
import { createWatchdog } from "./create-watchdog.ts";
import { createReplyReader, type SmtpReply } from "./reply-reader.ts";
import { SmtpFault } from "./smtp-fault.ts";

/** One side of an SMTP conversation: bytes out, replies in, each within a time-out. */
export interface ReplyChannel {
  readonly socket: Socket;
  /** Resolves with the next reply in order; rejects with an SmtpFault for a lost, silent or senseless server. */
  read(timeout: number, what: string): Promise<SmtpReply>;
  /** Writes and resolves when the system has taken it all; rejects with an SmtpFault. */
  flush(data: Buffer, timeout: number): Promise<void>;
  /** Writes without waiting. What goes wrong shows at the next `read`. */
  write(data: string | Buffer): void;
  /** Whether nothing is wrong and the server has said nothing that was not asked for. */
  isQuiet(): boolean;
  /** Takes a reply that has come already. */
  takeEarly(): SmtpReply | undefined;
  /** What the idle connection does when the server says or ends something. */
  onDisturbance(listener: (() => void) | undefined): void;
  /** Lets go of the socket without closing it, for TLS to take it over. Fails where the server has sent more already. */
  release(): void;
  destroy(): void;
}

const mostEarlyReplies = 2000;

/** Reads replies off a connected socket. */
export function createReplyChannel(socket: Socket): ReplyChannel {
  const inbox = createInbox(socket);
  const { replies } = inbox;
  return {
    socket,
    read: (timeout, what) =>
      new Promise((resolve, reject) => inbox.wait(() => replies.shift(), { resolve, reject, timeout, what })),
    flush(data, timeout) {
      let isFlushed = false;
      socket.write(data, (error) => {
        isFlushed = error === null || error === undefined;
        inbox.wake();
      });
      return new Promise((resolve, reject) =>
        inbox.wait(() => isFlushed || undefined, {
          resolve: () => resolve(),
          reject,
          timeout,
          what: "the message",
        }),
      );
    },
    write(data) {
      if (typeof data === "string") socket.write(data, "utf8");
      else socket.write(data);
    },
    isQuiet: () => inbox.fault() === undefined && replies.length === 0 && !inbox.isPartial(),
    takeEarly: () => replies.shift(),
    onDisturbance: inbox.onDisturbance,
    release() {
      // What came before TLS was set up may be an attacker's (CVE-2011-0411).
      if (inbox.fault() !== undefined || replies.length > 0 || inbox.isPartial()) {
        throw inbox.fault() ?? new SmtpFault("protocol", "the server sent more than one reply to STARTTLS");
      }
      inbox.stop();
    },
    destroy: () => inbox.fail(new SmtpFault("network", "the connection is closed")),
  };
}

/** Whoever waits for something on a socket. */
interface Waiting<T> {
  resolve(value: T): void;
  reject(fault: SmtpFault): void;
  timeout: number;
  what: string;
}

/** Collects what comes in on a socket: replies, and the first fault, which is the last. */
function createInbox(socket: Socket) {
  const replies: SmtpReply[] = [];
  let fault: SmtpFault | undefined;
  let settle: (() => void) | undefined;
  let disturbed: (() => void) | undefined;
  const watchdog = createWatchdog();

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
  const onData = (chunk: Buffer) => {
    const wrong = reader.feed(chunk);
    if (wrong !== undefined) return fail(new SmtpFault("protocol", wrong));
    if (replies.length > mostEarlyReplies)
      return fail(new SmtpFault("protocol", "the server sends replies nobody asked for"));
    wake();
  };
  const onEnd = () => fail(new SmtpFault("network", "the server closed the connection"));
  const onError = (error: Error) => fail(new SmtpFault("network", `connection lost: ${error.message}`));
  socket.on("data", onData).on("end", onEnd).on("close", onEnd).on("error", onError);

  return {
    replies,
    wake,
    fail,
    fault: () => fault,
    isPartial: reader.isPartial,
    onDisturbance(listener: (() => void) | undefined) {
      disturbed = listener;
    },
    stop() {
      watchdog.end();
      socket.off("data", onData).off("end", onEnd).off("close", onEnd).off("error", onError);
    },
    /** Resolves with what `find` finds; rejects with the fault, or after the time-out, which is one. */
    wait<T>(find: () => T | undefined, { resolve, reject, timeout, what }: Waiting<T>): void {
      settle = () => {
        const found = find();
        if (found === undefined && fault === undefined) return;
        watchdog.rest();
        settle = undefined;
        if (found !== undefined) resolve(found);
        else if (fault !== undefined) reject(fault);
      };
      settle();
      if (settle === undefined) return;
      watchdog.wake(timeout, () =>
        fail(new SmtpFault("silent", `no answer to ${what} within ${timeout} ms`)),
      );
    },
  };
}
