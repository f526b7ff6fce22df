import type { Storage } from "@posthorn/core/storage";
import { beforeAll, expect, test } from "vitest";
import { planningSchema, useRecordingStorage } from "../../test/open-recording-storage.ts";

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  Plans?: PlanNode[];
}

const rows = 10_000;
const now = 1_800_000_000_000;
const schema = planningSchema;
/** Tables that grow with use. */
const long = [
  "emails",
  "email_recipients",
  "email_queue",
  "email_payloads",
  "email_outcomes",
  "events",
  "api_keys",
  "usage",
  "idempotency_keys",
  "webhook_deliveries",
  "domains",
  "domain_keys",
];

/** Fills each table with many rows, over 50 workspaces. */
const seed = `
  set search_path to "${schema}";
  insert into workspaces (name, name_key, is_trusted, created_at, updated_at)
    select 'w' || i, 'w' || i, true, 1, 1 from generate_series(1, 50) as i;
  insert into settings (workspace_id, timezone, default_sender_name, default_sender_email, webhook_retry_count, api_key_expiry_days,
      dkim_rotation_days, content_retention_days, bounce_auto_suppress, require_verified_domain, platform_server,
      track_opens, track_clicks, tracking_details, tracking_trap, created_at, updated_at)
    select i, 'UTC', '', '', 3, 90, 0, 0, true, false, true, false, false, false, false, 1, 1 from generate_series(1, 50) as i;
  insert into contents (hash, subject, html, text) values ('h', '', '', '');
  insert into api_keys (uuid, workspace_id, name, prefix, digest, created_at)
    select 'key' || i, i % 50 + 1, '', '', 'digest' || i, 1 from generate_series(1, ${rows}) as i;
  insert into emails (uuid, workspace_id, template, content_id, from_text, subject, to_addresses, tags, metadata, route, lane, is_sensitive, created_at)
    select 'email' || i, i % 50 + 1, 'welcome', 1, '', '', '[]', '[]', '{}', 'w:' || (i % 50 + 1), 1, false, i
    from generate_series(1, ${rows}) as i;
  insert into email_payloads (email_id, is_sealed, payload)
    select i, false, '{"data":{},"from":{"name":"","address":"a@b.example"},"replyTo":[],"headers":[]}'
    from generate_series(1, ${rows}) as i;
  insert into email_outcomes (email_id, workspace_id, status, settled_at)
    select i, i % 50 + 1, case when i % 20 = 0 then 'failed' else 'sent' end, i from generate_series(2, ${rows}, 2) as i;
  insert into email_counts (workspace_id, status, shard, total) select i, 'accepted', 1, ${rows / 50} from generate_series(1, 50) as i;
  insert into email_recipients (email_id, position, workspace_id, kind, name, address, address_key, state)
    select i, 0, i % 50 + 1, 'to', '', 'a' || i, 'a' || i, 'pending' from generate_series(1, ${rows}) as i;
  insert into email_queue (email_id, route, lane, due_at, queued_at, bytes)
    select i, 'w:' || (i % 50 + 1), 1, ${now} - i, ${now} - i, 90 from generate_series(1, ${rows}, 2) as i;
  insert into events (category, type, workspace_id, actor_name, client_ip, message, metadata, created_at)
    select 'email', 'email.sent', i % 50 + 1, '', '', '', '{}', i from generate_series(1, ${rows}) as i;
  insert into usage (workspace_id, window_kind, window_start, shard, used)
    select i % 50 + 1, case when i % 2 = 0 then 'hour' else 'day' end, i, i % 3, 1 from generate_series(1, ${rows}) as i;
  insert into idempotency_keys (api_key_id, key, body_digest, answer, created_at)
    select 'key' || i, 'k' || i, '', '', i from generate_series(1, ${rows}) as i;
  insert into webhooks (uuid, workspace_id, url, events, filters, is_active, secret, created_at, updated_at)
    select 'hook' || i, i, '', '["*"]', '[]', true, '', 1, 1 from generate_series(1, 10) as i;
  insert into webhook_deliveries (uuid, webhook_id, workspace_id, event, payload, status, due_at, queued_at, created_at, settled_at)
    select 'delivery' || i, i % 10 + 1, i % 10 + 1, 'email.sent', '{}',
      case when i % 2 = 0 then 'pending' else 'delivered' end, case when i % 2 = 0 then ${now} - i end, ${now} - i, i,
      case when i % 2 = 1 then i end
    from generate_series(1, ${rows}) as i;
  insert into domains (uuid, workspace_id, name, organisation, token, status, status_since, status_reason, include_subdomains, return_path, return_path_domain, return_path_verified, tracking, tracking_domain, tracking_verified, tls, records,
      next_check_at, created_at, updated_at)
    select 'domain' || i, i % 50 + 1, 'd' || i || '.example', '', '', 'verified', 1, '', false, 'b', case when i % 2 = 0 then 'b.d' || i else 'b.claimed' end || '.example', i % 2 = 0,
      't', case when i % 2 = 0 then 't.d' || i else 't.claimed' end || '.example', i % 2 = 0, 'opportunistic', '{"records":[]}', ${now} + i, 1, 1
    from generate_series(1, ${rows}) as i;
  insert into domain_keys (domain_id, selector, algorithm, private_key, public_key, state, is_published, created_at)
    select i, 's', 'rsa-2048', '', '', 'active', true, 1 from generate_series(1, ${rows}) as i;
  analyze ${long.join(", ")}, workspaces, webhooks`;

const opened = useRecordingStorage(seed);
let storage: Storage;

beforeAll(() => {
  storage = opened.storage;
});

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Runs the call, and returns the plan of each of its statements. */
const plansOf = async (call: () => Promise<unknown>): Promise<{ text: string; nodes: PlanNode[] }[]> => {
  const recorded = await opened.record(call);
  const plans = [];
  for (const { text, values } of recorded) {
    const answer = await opened.pool.query(`explain (format json) ${text}`, values);
    plans.push({ text, nodes: nodesOf(answer.rows[0]["QUERY PLAN"][0].Plan) });
  }
  return plans;
};

const slice = { offset: 0, limit: 20 };
/** Deep in a log of 200 rows per workspace. */
const deep = { offset: 0, limit: 20, after: { key: rows / 2, total: 200 } };
const claimSome = async (limit = 50) => {
  const { due } = await storage.emailQueue.look(now, 9);
  const wants = due.map(({ route, lane, dueAt }) => ({ route, lane, since: dueAt, limit }));
  return storage.emailQueue.claim({
    wants: wants.slice(0, 3),
    now,
    leaseMs: 60_000,
    worker: "w",
    maxBytes: 1e9,
  });
};
const keys = [1, 2, 3].map((n) => ({
  apiKeyId: `key${n}`,
  key: "new",
  bodyDigest: "",
  answer: "",
  createdAt: now,
}));

const settleSome = async () => {
  const claimed = await claimSome(1);
  const settled = await storage.emailQueue.settle(
    claimed.map(({ email, lease, attempt, recipients }) => ({
      emailId: email.id,
      workspaceId: email.workspaceId,
      lease,
      isSealed: true,
      attempt: {
        number: attempt,
        startedAt: now,
        endedAt: now,
        worker: "w",
        outcome: "sent" as const,
        inDoubt: false,
        reply: "",
        smtpServerId: undefined,
      },
      recipients: recipients.map((recipient) => ({
        ...recipient,
        state: "accepted" as const,
        lastReply: "",
        settledAt: now,
      })),
      next: { status: "sent" as const, settledAt: now },
    })),
    now,
  );
  expect(settled).toHaveLength(3);
};

const settleDeliveries = async () => {
  const due = await storage.webhookDeliveries.look({ now, most: 2, limit: 20 });
  const claimed = await storage.webhookDeliveries.claim({
    wants: due.map(({ row }) => ({ row, limit: 2 })),
    now,
    leaseMs: 1_000,
  });
  const settled = await storage.webhookDeliveries.settle(
    claimed.map(({ delivery, fence }) => ({
      id: delivery.id,
      fence,
      responseStatus: 200,
      responseBody: "",
      durationMs: 1,
      error: "",
      next: { status: "delivered" as const, settledAt: now },
    })),
    now,
  );
  // Two from each of the five webhooks that have due deliveries.
  expect(settled).toHaveLength(10);
};

const reserveUsage = () =>
  storage.usage.reserve([
    { workspaceId: 3, recipients: 1, hour: { start: 7, limit: 100 }, day: { start: 8, limit: 100 } },
  ]);

const hot: [string, () => Promise<unknown>][] = [
  ["claiming e-mails", () => claimSome()],
  ["settling e-mails", settleSome],
  ["renewing claims", () => storage.emailQueue.renew([1], now, now)],
  [
    "releasing claims",
    async () => storage.emailQueue.release((await claimSome(2)).map(({ lease }) => lease)),
  ],
  ["reading payloads", () => storage.emailQueue.payloads([{ claimId: 1, row: 3 }])],
  ["scanning the queue", () => storage.emailQueue.look(now, 50)],
  [
    "scanning the queue from given starts",
    () => storage.emailQueue.look(now, 50, [{ route: "w:1", lane: 1, since: now - 10 }]),
  ],
  ["the log of failed e-mails", () => storage.emails.list({ workspaceId: 3, status: "failed" }, slice, now)],
  ["the log, newest first", () => storage.emails.list({ workspaceId: 3 }, slice, now)],
  ["the log after a position", () => storage.emails.list({ workspaceId: 3 }, deep, now)],
  [
    "the log of failed e-mails, after a position",
    () => storage.emails.list({ workspaceId: 3, status: "failed" }, deep, now),
  ],
  ["the log of one status", () => storage.emails.list({ workspaceId: 3, status: "sent" }, slice, now)],
  ["the log of waiting e-mails", () => storage.emails.list({ workspaceId: 3, status: "queued" }, slice, now)],
  [
    "the log of scheduled e-mails",
    () => storage.emails.list({ workspaceId: 3, status: "scheduled" }, slice, now),
  ],
  [
    "the log of e-mails being sent",
    () => storage.emails.list({ workspaceId: 3, status: "sending" }, slice, now),
  ],
  ["the log of one address", () => storage.emails.list({ workspaceId: 3, to: "a52" }, slice, now)],
  [
    "all workspaces' log of one address",
    () => storage.emails.list({ workspaceId: "all", to: "a52" }, slice, now),
  ],
  ["one e-mail", () => storage.emails.find(3, "email52", 0)],
  ["its recipients", () => storage.emails.recipients("email52")],
  ["events after one", () => storage.events.listAfter(rows - 100, { workspaceId: "all" }, 500)],
  ["a workspace's events after one", () => storage.events.listAfter(rows - 100, { workspaceId: 3 }, 500)],
  ["the last event", () => storage.events.lastId()],
  ["a workspace's events, newest first", () => storage.events.list({ workspaceId: 3 }, slice)],
  ["events after a position", () => storage.events.list({ workspaceId: "all" }, deep)],
  ["a workspace's events after a position", () => storage.events.list({ workspaceId: 3 }, deep)],
  ["deliveries after a position", () => storage.webhookDeliveries.list(3, "hook3", deep)],
  ["an API key by its digest", () => storage.apiKeys.findByDigests(["digest77"])],
  ["recording the use of API keys", () => storage.apiKeys.touch(["key77"], now)],
  ["a sending workspace", () => storage.workspaces.listSending([3])],
  ["charging quotas", reserveUsage],
  ["reading quotas", () => storage.usage.find(3, 7, 8)],
  ["taking idempotency keys", () => storage.idempotencyKeys.reserve(keys, 0)],
  ["replaying idempotency keys", () => storage.idempotencyKeys.reserve(keys, 0)],
  ["claiming and settling webhook deliveries", settleDeliveries],
  ["a sender's domain", () => storage.domains.listSending([3], ["d52.example", "example"])],
  ["a tracking host", () => storage.domains.isTrackingHost("t.d52.example")],
  ["a tracking host that many claim", () => storage.domains.isTrackingHost("t.claimed.example")],
  ["the domain of a return path", () => storage.domains.isReturnPath("b.d52.example")],
  ["that of a return path which many claim", () => storage.domains.isReturnPath("b.claimed.example")],
  ["the time of the next domain check", () => storage.domains.nextDueAt()],
  ["claiming domains to check", () => storage.domains.takeDue(now + 5, now + 9, 8)],
  ["the time of the next delivery", () => storage.webhookDeliveries.nextDueAt()],
];

test.each(hot)("%s scans no long table", async (_, call) => {
  const plans = await plansOf(call);
  expect(plans.length).toBeGreaterThan(0);
  const scans = plans.flatMap(({ text, nodes }) =>
    nodes
      .filter((node) => node["Node Type"] === "Seq Scan" && long.includes(node["Relation Name"] ?? ""))
      .map((node) => `${node["Relation Name"]} in ${text}`),
  );
  expect(scans).toEqual([]);
});

test.each([
  ["claiming e-mails", () => claimSome()],
  ["e-mails due before a time", () => storage.emailQueue.listDue(now, 200)],
  ["the log, newest first", () => storage.emails.list({ workspaceId: 3 }, slice, now)],
  ["the log after a position", () => storage.emails.list({ workspaceId: 3 }, deep, now)],
  ["events after one", () => storage.events.listAfter(rows - 100, { workspaceId: "all" }, 500)],
  ["events after a position", () => storage.events.list({ workspaceId: "all" }, deep)],
  ["a workspace's events after a position", () => storage.events.list({ workspaceId: 3 }, deep)],
  ["deliveries after a position", () => storage.webhookDeliveries.list(3, "hook3", deep)],
] as const)("%s does not sort", async (_, call) => {
  // The search for due e-mails sorts one row per route, which is no table.
  const ordered = (await plansOf(call)).filter(
    ({ text }) => / order by .* limit /.test(text) && !text.includes("recursive"),
  );
  expect(ordered.length).toBeGreaterThan(0);
  for (const { nodes } of ordered) expect(nodes.map((node) => node["Node Type"])).not.toContain("Sort");
});

test("contents that lost a reference are checked by the same statements however many there are", async () => {
  const check = async (count: number) => {
    await opened.pool.query(
      `insert into "${schema}".loose_contents (kind, row_id) select 'content', i from generate_series(1, ${count}) as i`,
    );
    const statements = await opened.record(() => storage.contents.deleteUnused(count));
    return statements.map(({ text }) => text);
  };
  const one = await check(1);
  expect(one.length).toBeGreaterThan(0);
  expect(await check(50)).toEqual(one);
});

test("of a workspace that has nothing old, retention reads what is next, and does no more", async () => {
  const { emails, campaigns } = storage;
  const old = { workspaceId: 3, before: 1, limit: 500 };
  const statements = await opened.record(async () => {
    await emails.deleteBefore(3, 1, 500);
    await emails.forgetContents(3, 1, 500);
    await campaigns.deleteRecipients(old);
    await campaigns.forgetContents(old);
  });
  expect(statements.map(({ text }) => text.slice(0, 6))).toEqual(Array(4).fill("select"));
});
