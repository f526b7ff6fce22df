import type { Counters } from "@posthorn/core";
import type { SettingValues } from "../../program/settings/settings.ts";

/** Data with which the delivery thread starts. */
export interface DeliveryData {
  values: SettingValues;
  /** URL of the service, if only its listening address determines it. */
  baseUrl: string;
  /** Memory shared with the main thread, for turns at writing to a SQLite file and for notifications. */
  writeTurns: SharedArrayBuffer;
}

/** Messages to the thread: a request for its counters, or for its end after deliveries in progress. */
export type ToDelivery = "count" | "stop";

/** Messages of the thread: its counters so far, that the disk failed to store a commit, or how much its stop abandoned. */
export type FromDelivery =
  | { kind: "counted"; counters: Counters }
  | { kind: "fatal"; error: unknown }
  | { kind: "stopped"; abandoned: number };
