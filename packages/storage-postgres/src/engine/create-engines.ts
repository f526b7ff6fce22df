import { createQuotaLeases, type Handle } from "@posthorn/storage-sql";
import type { Timeouts } from "../connections/timeouts.ts";
import { createPostgresEngine, forHosts } from "./postgres-engine.ts";
import { createShardTurns } from "./shard-turns.ts";
import { createTimeline } from "./timeline.ts";

/** The engine for tables in `schema` and the one for hosts' transactions, with what they keep beside the statements. */
export const createEngines = (
  db: () => Handle,
  { schema, timeouts, keepsSettings }: { schema: string; timeouts: Timeouts; keepsSettings: boolean },
) => {
  const leases = createQuotaLeases(db);
  const timeline = createTimeline(schema, { losesUnseen: !keepsSettings });
  const turns = createShardTurns(db);
  const engine = createPostgresEngine(schema, { leases, timeline, timeouts, turns, keepsSettings });
  return { engine, hostEngine: forHosts(engine, turns), timeline, turns };
};
