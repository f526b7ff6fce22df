import type { Emails } from "@posthorn/core/storage";
import { sql } from "kysely";
import type { Engine, Handle, ValueType } from "../../engine.ts";

const leaseTypes = { uuid: "text", fence: "bigint" } as const satisfies Record<string, ValueType>;

type Leases = Parameters<Emails["release"]>[0];

/** The leases that still fit, as a table `v` to join with. */
const fitting = (engine: Engine, leases: Leases) => sql`(
  select e.id, l.fence
  from ${engine.valuesTable(
    "l",
    leaseTypes,
    leases.map(({ emailId, fence }) => ({ uuid: emailId, fence })),
  )} join ${engine.table("emails")} as e on e.uuid = l.uuid
) as v`;

/** Prolongs leases whose fence still fits; the ids that were. */
export async function renewLeases(
  db: Handle,
  engine: Engine,
  leases: Leases,
  until: number,
): Promise<string[]> {
  if (leases.length === 0) return [];
  const { rows } = await sql<{ uuid: string }>`
    update ${engine.table("email_queue")} as q set due_at = ${until}, lease_until = ${until}
    from ${fitting(engine, leases)}
    where q.email_id = v.id and q.fence = v.fence and q.lease_until is not null
    returning (select e.uuid from ${engine.table("emails")} as e where e.id = email_id) as uuid
  `.execute(db);
  return rows.map(({ uuid }) => uuid);
}

/** Gives leases back unused: due again at once, without counting the attempt. */
export async function releaseLeases(db: Handle, engine: Engine, leases: Leases): Promise<void> {
  if (leases.length === 0) return;
  await sql`
    update ${engine.table("email_queue")} as q
    set due_at = q.claimed_at, lease_until = null, worker = null, claimed_at = null, attempts = q.attempts - 1
    from ${fitting(engine, leases)}
    where q.email_id = v.id and q.fence = v.fence and q.lease_until is not null
  `.execute(db);
}
