import type { Counters } from "@posthorn/core";
import type { SettingValues } from "../program/settings.ts";

/** What the thread that delivers is begun with. */
export interface DeliveryData {
  values: SettingValues;
  /** Where the service is reached, when only its listening address tells. */
  baseUrl: string;
  /** Turns at writing to a SQLite file that it takes with the main thread. */
  writeTurns: SharedArrayBuffer;
}

/** What it is told: to say what it did, or to end after what is under way. */
export type ToDelivery = "count" | "stop";

/** What it says: what it did so far, or that the disk failed to keep a commit. */
export type FromDelivery = { kind: "counted"; counters: Counters } | { kind: "fatal"; error: unknown };
