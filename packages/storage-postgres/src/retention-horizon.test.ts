import { createWorld, type World } from "@posthorn/core/testing";
import pg from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { newSchema, runOnce, testPostgresUrl, unhurried } from "../test/open-test-storage.ts";
import { createPostgresStorage } from "./create-postgres-storage.ts";

const rows = 1_500;

let url: string;
let schema: string;
let world: World;
beforeEach(async () => {
  url = await testPostgresUrl();
  schema = newSchema();
  const storage = await createPostgresStorage({ connectionString: url, schema, timeouts: unhurried });
  await storage.migrate();
  world = await createWorld(storage);
  await runOnce(url, watching(schema));
});
afterEach(async () => {
  await world.close();
  await runOnce(url, `drop schema "${schema}" cascade`);
});

/**
 * Records, from within its transaction, each chunk that removes e-mails or events: when it began, how many rows it
 * removed, and which other transactions were open then, by their start and by the oldest row version that the server
 * keeps for them.
 */
const watching = (schema: string): string => `
  create table "${schema}".pieces (n bigserial, of text, xid bigint, began timestamptz, removed bigint, other timestamptz, horizon bigint);
  create function "${schema}".note_piece() returns trigger language plpgsql as $$ begin
    insert into "${schema}".pieces (of, xid, began, removed, other, horizon)
    select tg_table_name, pg_current_xact_id()::text::bigint, transaction_timestamp(), (select count(*) from gone),
      min(xact_start), min(least(backend_xmin::text::bigint, backend_xid::text::bigint))
    from pg_stat_activity
    where pid <> pg_backend_pid() and datname = current_database() and backend_type = 'client backend';
    return null;
  end $$;
  ${["emails", "events"]
    .map(
      (name) => `create trigger note_piece after delete on "${schema}".${name}
        referencing old table as gone for each statement execute function "${schema}".note_piece();`,
    )
    .join("\n")}
`;

/** Old mails and events of the service itself. */
const old = (schema: string): string => `
  insert into "${schema}".emails (uuid, from_text, subject, to_addresses, tags, metadata, route, lane, created_at, is_sensitive)
    select gen_random_uuid()::text, 'a@b.example', 's', '[]', '[]', '{}', 'system', 0, 1, false from generate_series(1, ${rows});
  insert into "${schema}".email_outcomes (email_id, status, settled_at)
    select id, 'sent', 1 from "${schema}".emails on conflict do nothing;
  insert into "${schema}".events (category, type, actor_name, client_ip, message, metadata, created_at)
    select 'email', 'email.sent', 'x', '', 'm', '{}', 1 from generate_series(1, ${rows});
`;

interface Piece {
  of: string;
  xid: string;
  began: Date;
  removed: string;
  other: Date | null;
  horizon: string | null;
}

/** Removes old rows; returns the chunks in order. */
async function removeOld(): Promise<Piece[]> {
  await runOnce(url, `delete from "${schema}".pieces; ${old(schema)}`);
  await world.posthorn.prune();
  return (await runOnce(
    url,
    `select * from "${schema}".pieces where removed > 0 order by n`,
  )) as unknown as Piece[];
}

/** Chunks during which a transaction was open that began before the previous chunk. */
const heldBack = (pieces: readonly Piece[]): Piece[] =>
  pieces.filter(({ other, horizon }, place) => {
    const before = pieces[place - 1];
    if (before === undefined) return false;
    return (
      (other !== null && other < before.began) || (horizon !== null && BigInt(horizon) < BigInt(before.xid))
    );
  });

test("retention keeps row versions no longer than one piece takes: each is a short transaction", async () => {
  const pieces = await removeOld();
  for (const name of ["emails", "events"]) {
    const own = pieces.filter((piece) => piece.of === name);
    expect(own.reduce((sum, { removed }) => sum + Number(removed), 0)).toBe(rows);
    expect(own.length).toBeGreaterThan(2);
    expect(new Set(own.map(({ xid }) => xid)).size).toBe(own.length);
  }
  expect(heldBack(pieces)).toEqual([]);
});

test("the test detects a transaction that would keep them", async () => {
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query("begin isolation level repeatable read; select 1");
  const pieces = await removeOld();
  await reader.end();
  expect(heldBack(pieces)).toHaveLength(pieces.length - 1);
});
