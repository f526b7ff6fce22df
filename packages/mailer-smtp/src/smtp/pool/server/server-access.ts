import type { Delivery } from "../../conversation/delivery.ts";
import type { DsnCondition, SmtpTimeouts } from "../../settings/server-settings.ts";
import type { PooledConnection } from "../line/create-idle-connections.ts";
import type { Line } from "../line/line.ts";
import type { PoolClock } from "../pool-clock.ts";
import type { Evidence } from "./create-evidence.ts";
import type { Opener } from "./create-opener.ts";
import type { Pace } from "./create-pace.ts";
import type { ServerState } from "./create-server-state.ts";

/** One server, as used by a message. */
export interface ServerAccess {
  state: ServerState;
  evidence: Evidence;
  pace: Pace;
  line: Line;
  open: Opener;
  /** Ends the turn on a connection that can be reused; if it is not `isClean`, its transaction must be reset first. */
  settle(delivery: Delivery, pooled: PooledConnection, isClean: boolean): void;
  clock: PoolClock;
  timeouts: SmtpTimeouts;
  /** The reports to request; empty for no request. */
  dsn: DsnCondition[];
  isAccount: boolean;
  /** Whether TLS is opportunistic: a new connection may have what a kept one lacks. */
  isTlsOptional: boolean;
  pipelinePatience: number;
  aheadPatience: number;
  /** Messages after which a connection is replaced, as set. */
  messagesPerConnection: number;
  behaviour: ServerBehaviour;
}

/** Behaviour of a server that was observed while talking to it. */
export interface ServerBehaviour {
  /** `suspect`: pipelined commands once went unanswered; `broken`: sent one by one they were then answered. */
  pipelining: "untried" | "works" | "suspect" | "broken";
  /** Whether it takes an envelope behind a content (RFC 2920 section 3.1). `harmful`: it left such a content in doubt. */
  ahead: "untried" | "works" | "broken" | "harmful";
  /** When that may be tried, unless it is known. */
  aheadFrom: number;
  /** Whether it refused a request for reports, and took the same mail without. */
  refusesReports: boolean;
  /** Whether it takes no mail in cleartext: there is no use in it while TLS fails. */
  needsTls: boolean;
  /** When a login is asked for again, which it last did not offer. */
  noLoginUntil: number;
  /** Messages after which a connection is replaced: as set, or what the server was found to allow. */
  messagesPerConnection: number;
  /** Connections that it ended at the first recipient it got, since it accepted a message. */
  untaken: number;
  /** When it last did. */
  untakenAt: number;
  /** Recipients at which it was silent: they go last. */
  silentAt: Set<string>;
  /** The most messages that a connection has carried. */
  carried: number;
  /** When what was learned against it is forgotten; infinite if nothing was. */
  forgetsAt: number;
  /** Ms for which that is remembered. */
  memory: number;
  /** When it no longer counts as learned again, if nothing is until then. */
  clearedAt: number;
  /** Number of messages after which a connection last refused another that the next connection accepted. */
  refusedAfter: number | undefined;
}
