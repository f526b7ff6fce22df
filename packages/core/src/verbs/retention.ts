// Printed by `npm run verbs` from the use cases and what their fields are described by. Do not edit.
import type { RetentionRun } from "../queue/retention/run-retention.ts";
import type { CallShapes } from "./call-options.ts";

/** What `run` takes. */
export interface RunRetentionInput {
  /** Whether to only count what would be removed, without removing it. Default false. */
  dryRun?: boolean | undefined;
}

/** Retention: removal of expired data, for operators. */
export interface RetentionVerbs<K extends CallShapes = CallShapes> {
  /**
   * Removes expired data now instead of within the hour (platform.md P12), in short pieces that each have a
   * transaction. Inside a transaction of the host's, all of it is part of that, however long it takes. A dry run
   * lists what would be removed, by table and retention period, and removes nothing.
   */
  run(this: void, input?: RunRetentionInput, ...call: K["any"]): Promise<RetentionRun>;
}
