import type { CampaignRecipientFilter, EmailFilter, Storage } from "@posthorn/core/storage";
import Sqlite from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { createSqliteStorage } from "../index.ts";

const to = "ada@example.com";
const filters: Partial<EmailFilter>[] = [
  { to },
  { to, template: "welcome" },
  ...(["sent", "failed", "sending", "queued", "scheduled"] as const).flatMap(
    (status): Partial<EmailFilter>[] => [
      { status },
      { status, to },
      { status, tag: "rare" },
      { status, to, tag: "rare" },
      { status, to, template: "welcome", from: 1, until: 2 },
    ],
  ),
];

/** A storage of its own for a test, because it prepares each query once; and the plans of the queries of a list. */
async function openWatched(seed = "") {
  const database = new Sqlite(":memory:");
  onTestFinished(() => void database.close());
  database.pragma("foreign_keys = ON");
  const texts: string[] = [];
  const prepare = database.prepare.bind(database);
  const storage = await createSqliteStorage({ database });
  onTestFinished(() => storage.close());
  await storage.migrate();
  database.exec(seed);
  database.prepare = ((text: string) => {
    texts.push(text);
    return prepare(text);
  }) as typeof database.prepare;
  const plansOf = async (call: (storage: Storage) => Promise<unknown>): Promise<string[][]> => {
    texts.length = 0;
    await call(storage);
    return texts.map((text) =>
      prepare(`explain query plan ${text}`)
        .all(...Array<null>(text.split("?").length - 1).fill(null))
        .map((row) => (row as { detail: string }).detail),
    );
  };
  return plansOf;
}

/** One more is looked for than are asked for: none here, so that the page doesn't tell the total, which is counted then. */
const first = { offset: 0, limit: -1 };
const later = { offset: 0, limit: 20, after: { key: 9, total: 9 } };

/** The plans of a list of e-mails. */
async function openWatchedLog(seed?: string) {
  const plansOf = await openWatched(seed);
  return (filter: EmailFilter) => plansOf((storage) => storage.emails.list(filter, first, 1));
}

test("no list of e-mails compares pairs of two sets; one by address reads that address's e-mails only, or few of another filter", async () => {
  const plansOf = await openWatchedLog();
  for (const filter of filters)
    for (const workspaceId of [1, "all"] as const) {
      const plans = await plansOf({ workspaceId, ...filter });
      const asked = JSON.stringify({ workspaceId, ...filter });
      // For an id in both of two sets, SQLite seeks each of the one with each of the other.
      const pairs = plans.filter(
        (lines) =>
          lines.some((line) => /=\? AND rowid=\?/.test(line)) &&
          lines.filter((line) => line.startsWith("LIST SUBQUERY")).length > 1,
      );
      expect(pairs, asked).toEqual([]);
      if (filter.to === undefined || filter.tag !== undefined || workspaceId === "all") continue;
      const first = plans.flatMap((lines) => lines.find((line) => /^(?:SEARCH|SCAN)/.test(line)) ?? []);
      // The database is empty: whatever else is asked for matches few.
      const driver =
        filter.from === undefined
          ? filter.status === undefined || filter.status === "sent"
            ? /email_recipients_address/
            : /^SEARCH (?:e USING INTEGER PRIMARY KEY|posthorn_email_outcomes)|^(?:SEARCH|SCAN) s\b/
          : /emails_created \(workspace_id=\? AND created_at>\?/;
      expect(
        first.filter((line) => !driver.test(line)),
        asked,
      ).toEqual([]);
    }
});

test("a count of e-mails looks up no outcome or claim, and a page of scheduled ones sorts ids from the index alone", async () => {
  const plansOf = await openWatchedLog();
  for (const filter of [
    { template: "welcome" },
    { from: 1, until: 2 },
    { template: "welcome", tag: "rare" },
  ]) {
    const [counted] = (await plansOf({ workspaceId: 1, ...filter })).slice(-1);
    expect(counted, JSON.stringify(filter)).toBeDefined();
    expect(
      counted?.filter((line) => line.includes("LEFT-JOIN")),
      JSON.stringify(filter),
    ).toEqual([]);
  }
});

test("few e-mails that wait are found by their routes; of many scheduled ones, ids from the index alone are sorted", async () => {
  const plansOfFew = await openWatchedLog();
  for (const status of ["queued", "scheduled"] as const) {
    const [page] = (await plansOfFew({ workspaceId: 1, status })).filter((lines) =>
      lines.some((line) => line.startsWith("LIST SUBQUERY")),
    );
    expect(page?.filter((line) => /email_queue|\bs\b/.test(line))).toEqual([
      expect.stringMatching(/email_queue_order \(route=\?\)/),
      expect.stringMatching(/email_queue_order \(route>\? AND route<\?\)/),
      expect.stringMatching(/email_queue_order \(route>\? AND route<\?\)/),
    ]);
  }
  const plansOf = await openWatchedLog(
    `insert into posthorn_email_queue (email_id, route, lane, due_at, queued_at, bytes)
      select value, 'w:1', 1, 1, 1, 1 from json_each('[${Array.from({ length: 1_000 }, (_, id) => id).join()}]')`,
  );
  const sorting = (await plansOf({ workspaceId: 1, status: "scheduled" })).filter((lines) =>
    lines.join().includes("ORDER BY"),
  );
  expect(sorting).toHaveLength(1);
  expect(sorting[0]?.[0]).toMatch(/^SEARCH e USING COVERING INDEX .*emails_scheduled/);
  expect(sorting.flat().filter((line) => line.includes("LEFT-JOIN"))).toEqual([]);
});

test("a list by date reads the index of dates, one of a batch that batch's e-mails, never all of the log", async () => {
  const dated = { from: 1, until: 2 };
  for (const [filter, driver] of [
    [dated, /emails_created \(workspace_id=\? AND created_at>\?/],
    [{ ...dated, template: "welcome" }, /emails_created \(workspace_id=\? AND created_at>\?/],
    [{ ...dated, status: "sent" }, /emails_created \(workspace_id=\? AND created_at>\?/],
    [{ batchId: "b" }, /emails_batch \(batch_id=\?/],
    [{ batchId: "b", ...dated }, /emails_batch \(batch_id=\?/],
  ] as const) {
    const plans = await (await openWatchedLog())({ workspaceId: 1, ...filter });
    expect(plans.length, JSON.stringify(filter)).toBeGreaterThan(1);
    for (const [line] of plans) expect(line, JSON.stringify(filter)).toMatch(driver);
    if (filter === dated) expect(plans.at(-1)?.[0]).toContain("COVERING INDEX");
  }
});

test("a workspace's audit log reads its own entries only, a person's that person's, and counts of e-mails' events and of suppressions indexes alone", async () => {
  const driver = async (call: (storage: Storage) => Promise<unknown>) =>
    (await (await openWatched())(call)).map(([line]) => line?.replace(/^SEARCH \w+ USING /, ""));
  const audit = { workspaceId: 1, category: "audit" } as const;
  const own = /^(?:COVERING )?INDEX \w+events_workspace_category \(workspace_id=\? AND category[=>]/;
  for (const slice of [first, later])
    for (const line of await driver((storage) => storage.events.list(audit, slice)))
      expect(line).toMatch(own);
  for (const line of await driver((storage) =>
    storage.events.list({ workspaceId: "all", userId: 1, category: "audit" }, first),
  ))
    expect(line).toMatch(/events_user \(user_id=\?\)/);
  const ofEmails = await driver((storage) =>
    storage.events.list({ workspaceId: 1, category: "email" }, first),
  );
  expect(ofEmails.slice(1).map((line) => line?.replace(/ \(.*/, "").replace("posthorn_", ""))).toEqual([
    "COVERING INDEX events_workspace_category",
    "COVERING INDEX events_workspace",
  ]);
  const filter = { workspaceId: 1, origin: "bounce", from: 1 } as const;
  const plans = await driver((storage) => storage.suppressions.list(filter, first, 1));
  expect(plans.at(-1)).toMatch(/^COVERING INDEX \w+suppressions_workspace/);
});

test("a piece of an address's e-mails looks up its own by their numbers, whatever statistics say of the addresses", async () => {
  const of = "with recursive n(id) as (select 1 union all select id + 1 from n where id < 2000)";
  const plansOf = await openWatched(`
    pragma foreign_keys = off;
    insert into posthorn_emails (id, uuid, workspace_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
      ${of} select id, id, 1, '', '', '[]', '[]', '{}', 'w:1', 1, 0, 1 from n;
    insert into posthorn_email_recipients (email_id, position, workspace_id, kind, name, address, address_key, state)
      select id, 0, 1, 'to', '', '${to}', case when id < 1000 then '${to}' else id end, 'accepted' from posthorn_emails;
    analyze;`);
  const person = { workspaceId: 1, address: to, addressKey: to };
  const plans = await plansOf((storage) => storage.recipients.readEmails(person, 0, 1));
  const byAddress = plans.map((lines) => lines.some((line) => line.includes("email_recipients_address")));
  expect(byAddress).toEqual([true, false, false, false, false, false]);
});

test("a count of a campaign's recipients looks up no e-mail, unless these are asked for", async () => {
  const plansOf = await openWatched();
  const counted = async (filter: CampaignRecipientFilter) =>
    (await plansOf(({ campaigns }) => campaigns.recipients({ id: 1, workspaceId: 1 }, filter, first))).at(-1);
  for (const filter of [{}, { state: "pending" }, { state: "skipped", q: "ada" }] as const)
    expect(await counted(filter), JSON.stringify(filter)).toEqual([
      expect.stringMatching(/^SEARCH r USING .*\(campaign_id=\?/),
    ]);
  for (const state of ["queued", "settled"] as const) {
    const lines = await counted({ state });
    expect(lines?.[0], state).toMatch(/^SEARCH r USING .*\(campaign_id=\?/);
    expect(lines?.[1], state).toMatch(/^LIST SUBQUERY/);
    expect(lines?.filter((line) => line.includes("email_queue"))).toEqual([
      expect.stringMatching(/email_queue_order \(route=\?\)/),
    ]);
    expect(lines?.join(), state).not.toMatch(/CORRELATED|LEFT-JOIN/);
  }
  expect((await counted({ emailStatus: "sent" }))?.join()).toContain("LEFT-JOIN");
});

test("a check whether anything refers to stylesheets or a content reads an index of each table, never all of its rows", async () => {
  const plansOf = await openWatched(
    "insert into posthorn_loose_contents (kind, row_id) values ('set', 1), ('content', 1)",
  );
  const plans = (await plansOf(({ contents }) => contents.deleteUnused(9))).flat();
  expect(plans.filter((line) => /^SEARCH o USING COVERING INDEX /.test(line))).toHaveLength(6);
  expect(plans.filter((line) => /^SCAN (?:o|c)\b/.test(line))).toEqual([]);
});

test("the search for API keys that expire soon reads none that were announced", async () => {
  const plansOf = await openWatched();
  const plans = (await plansOf(({ apiKeys }) => apiKeys.takeExpiring(9, 9))).flat();
  expect(plans.filter((line) => line.includes("expires_at"))).toEqual([
    expect.stringContaining("api_keys_unannounced"),
  ]);
});

test("a count of what retention would remove reads a long log in pieces, each after the one before", async () => {
  const plansOf = await openWatched(`
    pragma foreign_keys = off;
    with recursive n(id) as (select 1 union all select id + 1 from n where id < 100001)
    insert into posthorn_emails (id, uuid, workspace_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
      select id, id, case when id = 7 then 2 else 1 end, '', '', '[]', '[]', '{}', 'w:1', 1, 0, id / 30000 from n;
    update posthorn_emails set content_id = 1 where id = 99998;
    insert into posthorn_email_outcomes (email_id, workspace_id, status, settled_at)
      select id, workspace_id, 'sent', id % 2 from posthorn_emails where id <> 99;`);
  const count = async ({ retention }: Storage, workspaceId: number | undefined, log: number) =>
    retention.countOld([{ workspaceId, log, content: 9 }]);
  const none = { recipients: 0, values: 0 };
  const plans = await plansOf(async (storage) => {
    expect(await count(storage, 1, 9)).toEqual({ ...none, emails: 99_999, contents: 0 });
    expect(await count(storage, 1, 1)).toEqual({ ...none, emails: 14_999, contents: 1 });
    expect(await count(storage, undefined, 9)).toEqual({ ...none, emails: 0, contents: 0 });
    const both = [1, 2].map((workspaceId) => ({ workspaceId, log: 9, content: undefined }));
    expect(await storage.retention.countOld(both)).toEqual({ ...none, emails: 100_000, contents: 0 });
  });
  const reads = plans.flat().filter((line) => / e USING /.test(line));
  expect(reads.length).toBeGreaterThan(3);
  for (const read of reads)
    expect(read).toMatch(/emails_created \(workspace_id=\? AND created_at>\? AND created_at<\?\)/);
});

test("a count of old events reads few of those that are not, and finds those behind a clock that was ahead", async () => {
  const plansOf = await openWatched(`
    with recursive n(id) as (select 1 union all select id + 1 from n where id < 200000)
    insert into posthorn_events (id, category, type, actor_name, client_ip, message, metadata, created_at)
      select id, 'email', 'email.sent', '', '', '', '{}', case when id between 60001 and 140000 then 99 else id / 100000 end from n;`);
  const plans = await plansOf(async ({ retention }) => {
    expect(await retention.countTimed("events", 9)).toBe(120_000);
    expect(await retention.countTimed("events", 1)).toBe(60_000);
    expect(await retention.countTimed("events", 0)).toBe(0);
  });
  for (const line of plans.flat().filter((one) => /events/.test(one)))
    expect(line).toMatch(/SEARCH .*events USING INTEGER PRIMARY KEY \(rowid>\?\)/);
});

test("webhook deliveries of a clock that was ahead are found without a look at all that wait", async () => {
  const plansOf = await openWatched();
  const plans = await plansOf(({ webhookDeliveries }) => webhookDeliveries.restoreDue(9));
  const found = plans.flat().filter((line) => line.includes("webhook_deliveries"));
  expect(found.join()).toContain("webhook_deliveries_backlog (webhook_id=? AND due_at>?)");
  expect(found.filter((line) => line.startsWith("SCAN"))).toEqual([]);
});

test("a piece of a workspace's deletion begins behind the last row of the one before", async () => {
  const plansOf = await openWatched();
  const places = [[1], [1, 1], [1, 1], [1], [1], ["a", "b", 1], ["a"], [1]];
  const plans = await plansOf(async ({ workspaces }) => {
    for (const [table, after] of places.entries()) await workspaces.empty(1, 2, { table, after });
  });
  const behind = plans
    .flat()
    .flatMap(
      (line) =>
        /^SEARCH (?:posthorn_)?(\w+) .*\((\w+_id=\? AND .*>.*)\)$/.exec(line)?.slice(1).join(" ") ?? [],
    );
  expect(behind.sort()).toEqual([
    "batches workspace_id=? AND id>?",
    "bounce_days workspace_id=? AND (address_key,category,day)>(?,?,?)",
    "dedupe_keys workspace_id=? AND key>?",
    "emails workspace_id=? AND id>?",
    "inbound_reports workspace_id=? AND id>?",
    "o workspace_id=? AND id>?",
    "o workspace_id=? AND id>?",
    "r campaign_id=? AND position>?",
    "r webhook_id=? AND id>?",
    "suppressions workspace_id=? AND id>?",
  ]);
});
