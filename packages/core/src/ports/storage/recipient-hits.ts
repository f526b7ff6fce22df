/** What a reader did: loaded the tracking image, or followed a tracked link. */
export type HitKind = "open" | "click";

/** What kind of program made a hit, by its user agent; `unknown` if it named none. */
export type AgentClass = "browser" | "mail_program" | "image_proxy" | "machine" | "unknown";

/** Why a hit is taken for a program's that no reader watched (platform.md P11). */
export type MachineReason =
  | "prefetch_header"
  | "known_agent"
  | "image_proxy_prefetch"
  | "too_soon"
  | "burst"
  | "trap";

/** Hits of one kind on the e-mail to one recipient, added up. */
export interface RecipientHits {
  /** The recipient's position in the e-mail, from 0; `undefined` if several shared the message. */
  position: number | undefined;
  /** Their kind. */
  kind: HitKind;
  /** Number of hits. */
  count: number;
  /** Number of those that a person made. */
  humanCount: number;
  /** Time of the first, ms of queue time. */
  firstAt: number;
  /** Time of the first that a person made, ms of queue time; `undefined` if there is none. */
  firstHumanAt: number | undefined;
  /** The program that made the last. */
  agentClass: AgentClass;
  /** Why the last that a machine made was taken for one; `undefined` if there is none. */
  machineReason: MachineReason | undefined;
  /** Address of the last, of which only the network unless the workspace keeps details; `undefined` if not known. */
  address: string | undefined;
  /** User agent of the last, if the workspace keeps details. */
  agent: string | undefined;
}
