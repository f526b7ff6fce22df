import type { AgentClass, HitKind, MachineReason } from "../../ports/storage.ts";

/** Loads of the image, or clicks on one link, by one program within a moment. */
export interface Hit {
  kind: HitKind;
  /** Row number of the e-mail in the storage. */
  row: number;
  /** The recipient's position; `undefined` if several shared the message. */
  position: number | undefined;
  /** Number of the link in the message; `undefined` for the image. */
  link: number | undefined;
  /** The address that the link leads to. */
  url: string | undefined;
  /** Time of the first and of the last, ms of queue time. */
  at: number;
  lastAt: number;
  count: number;
  agentClass: AgentClass;
  /** Whether a machine made them; `null` if that can't be known. */
  machine: boolean | null;
  /** Why, if a machine made them. */
  reason: MachineReason | undefined;
  /** The client's address; empty if it is not known. */
  ip: string;
  /** The start of the user agent. */
  userAgent: string;
}
