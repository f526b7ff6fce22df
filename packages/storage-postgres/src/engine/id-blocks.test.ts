import type { NewEmail, Storage } from "@posthorn/core/storage";
import { sideOf } from "@posthorn/storage-sql";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";
import { createIdBlocks } from "./id-blocks.ts";
import type { Timeline } from "./timeline.ts";

let pool: pg.Pool;
let storage: Storage;
let contentId = 0;
/** Number of ids that each statement requested. */
const asked: number[] = [];
let count = 0;

const email = (): NewEmail => ({
  id: `e-mail ${++count}`,
  workspaceId: undefined,
  template: undefined,
  templateVersionId: undefined,
  contentId,
  stylesheetSetId: undefined,
  from: "a@b.example",
  subject: "",
  tags: [],
  metadata: {},
  createdAt: 1,
  scheduledAt: undefined,
  deliverBefore: undefined,
  isSensitive: false,
  payload: {
    from: { name: "", address: "a@b.example" },
    replyTo: [],
    headers: [],
    data: {},
    literal: false,
  },
  apiKeyId: undefined,
  batchId: undefined,
  recipients: [],
  route: "service",
  lane: 0,
  dueAt: 1,
  queuedAt: 1,
});

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 2 });
  pool.on("connect", (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    const recording = (...args: unknown[]) => {
      const [config] = args as [{ text: string; values?: unknown[] }];
      if (config.values && /nextval/.test(config.text)) asked.push(Number(config.values.at(-1)));
      return query(...args);
    };
    Object.assign(client, { query: recording });
  });
  storage = await openTestPostgres({ pool });
  contentId = await storage.contents.put({ subject: "", html: "", text: "" });
});
afterAll(async () => {
  await storage.close();
  await pool.end();
});
beforeEach(() => {
  asked.length = 0;
});

test("ids reserved during another look-up are not reserved again when an e-mail is inserted", async () => {
  await storage.emails.reserveIds(2);
  expect(asked).toEqual([2]);
  await storage.transaction(({ emails }) => emails.insert([email(), email()]));
  expect(asked).toEqual([2]);
});

test("concurrent reservations share one query, and one that needs more reserves its own", async () => {
  await Promise.all([storage.emails.reserveIds(1), storage.emails.reserveIds(1)]);
  expect(asked.length).toBeLessThanOrEqual(1);
  const before = asked.length;
  await storage.transaction(({ emails }) => emails.insert(Array.from({ length: 600 }, email)));
  expect(asked.length).toBe(before + 1);
});

test("on a server's new timeline, ids that were read before are not assigned, of other tables neither", async () => {
  const { db, engine } = sideOf(storage);
  const answers = [false, true];
  const isNew = async () => answers.shift() ?? false;
  const timeline: Timeline = {
    ...{ text: () => "null::text", isNew, doubt: () => {}, isInDoubt: () => false, assure: () => undefined },
    ...{ probe: async () => {}, note: async () => true, assureWithin: async () => {} },
  };
  const { reserveIds, takeIds } = createIdBlocks(engine.schema ?? "", timeline);
  await reserveIds(db, "emails", 5);
  const last = await engine.lastId(db, "emails");
  await takeIds(db, "events", 1);
  expect(await takeIds(db, "emails", 1)).toEqual([last + 1]);
});
