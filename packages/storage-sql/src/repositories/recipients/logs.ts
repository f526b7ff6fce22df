import { randomBytes } from "node:crypto";
import type { ErasedPerson, FoundRow, Person, SearchedLog } from "@posthorn/core/storage";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { atomically } from "../../atomically.ts";
import type { Engine, Handle } from "../../engine.ts";
import { eraseItemKeys, eraseLink, eraseWords, findShares, type Share } from "./erase-words.ts";
import { othersHidden } from "./hide-others.ts";
import { eraserOf, naming, replacerOf } from "./mentions.ts";
import { actColumns, isOwnAct } from "./own-acts.ts";

/** How a log is scanned, and which of its columns may contain an address. */
interface LogShape {
  /** Columns that order the rows and mark the end of a chunk. */
  cursor: string;
  isText?: true;
  /** Columns that identify a row. */
  key: readonly string[];
  /** Text columns that may contain an address. */
  texts: readonly string[];
  /** Further columns to return. */
  shown: readonly string[];
  /** The text column about a single e-mail, with its subject and data. */
  words?: string;
  /** The text column whose end repeats the link in `words`. */
  message?: string;
  /**
   * The text column with a receiver's answer to `words`, which may repeat any of them, and tell what the receiver knows of
   * the e-mail: it goes if they change, or are about an e-mail to the person.
   */
  answer?: string;
  /** What is set then, so that an answer that is on its way is not stored any more. */
  mark?: RawBuilder<unknown>;
  /** The text column with items, each with an address and a key that a caller chose for it. */
  items?: string;
  /** Condition for rows in which that may be the person's without naming them. */
  unnamed?: RawBuilder<SqlBool>;
  /** Condition for the workspace's rows. */
  ofWorkspace(workspaceId: number, engine: Engine): RawBuilder<SqlBool>;
  /** Whether the index begins with the workspace, so that other workspaces' rows are not scanned. */
  isWorkspaces?: true;
  /** Rows of a chunk. */
  piece: number;
}

const own = (workspaceId: number) => sql<SqlBool>`t.workspace_id = ${workspaceId}`;

const shapes: Record<SearchedLog, LogShape> = {
  suppressions: {
    cursor: "id",
    key: ["id"],
    texts: ["reason", "former_reason"],
    shown: ["scope", "origin", "created_at"],
    ofWorkspace: own,
    isWorkspaces: true,
    piece: 1_000,
  },
  inbound_reports: {
    cursor: "id",
    key: ["id"],
    texts: ["effects"],
    shown: ["uuid", "kind", "source", "email_id", "created_at"],
    ofWorkspace: own,
    isWorkspaces: true,
    piece: 500,
  },
  batches: {
    cursor: "id",
    key: ["id"],
    texts: ["skipped"],
    items: "skipped",
    shown: ["uuid", "created_at"],
    ofWorkspace: own,
    isWorkspaces: true,
    piece: 100,
  },
  webhook_deliveries: {
    cursor: "id",
    key: ["id"],
    texts: ["payload", "response_body", "error"],
    words: "payload",
    answer: "response_body",
    mark: sql`erased_fence = fence`,
    unnamed: sql`1 = 1`,
    shown: ["uuid", "event", "status", "created_at"],
    ofWorkspace: own,
    piece: 1_000,
  },
  idempotency_keys: {
    cursor: "created_at",
    key: ["api_key_id", "key"],
    texts: ["answer", "key"],
    words: "answer",
    unnamed: sql`1 = 1`,
    shown: ["created_at"],
    ofWorkspace: (workspaceId, engine) =>
      sql<SqlBool>`(t.api_key_id = ${`workspace:${workspaceId}`} or t.api_key_id in
        (select k.uuid from ${engine.table("api_keys")} as k where k.workspace_id = ${workspaceId}))`,
    piece: 500,
  },
  dedupe_keys: {
    cursor: "key",
    isText: true,
    key: ["workspace_id", "key"],
    texts: ["key"],
    shown: ["email_id", "created_at"],
    ofWorkspace: own,
    isWorkspaces: true,
    piece: 2_000,
  },
  events: {
    cursor: "id",
    key: ["id"],
    texts: ["metadata", "message"],
    words: "metadata",
    message: "message",
    // Other events about one recipient name them; these have a link or a reply, but nobody's name.
    unnamed: sql`t.type in ('email.clicked', 'email.failed', 'email.delivery_delayed')`,
    shown: ["id", "type", "created_at"],
    ofWorkspace: own,
    isWorkspaces: true,
    piece: 2_000,
  },
};

type Row = Record<string, string | number | null>;

interface Piece {
  rows: Row[];
  next: string | undefined;
}

/**
 * Returns the next chunk's rows that may contain the address. The chunk's end is determined first, so that no more than
 * one chunk is read even if few rows match.
 */
async function readPiece(
  db: Handle,
  engine: Engine,
  { log, person, after, or }: { log: SearchedLog; person: Person; after: string; or?: RawBuilder<SqlBool> },
): Promise<Piece> {
  const shape = shapes[log];
  const table = engine.table(log);
  const cursor = sql.ref(`t.${shape.cursor}`);
  const from = shape.isText ? after : Number(after === "" ? 0 : after);
  const mine = shape.ofWorkspace(person.workspaceId, engine);
  const within = shape.isWorkspaces ? sql`${mine} and` : sql``;
  const { rows: ends } = await sql<{ last: string | number }>`
    select ${cursor} as last from ${table} as t where ${within} ${cursor} > ${from}
    order by ${cursor} limit 1 offset ${shape.piece - 1}
  `.execute(db);
  const last = ends[0]?.last;
  const columns = sql.join(
    [...new Set([...shape.key, ...shape.texts, ...shape.shown, ...(log === "events" ? actColumns : [])])].map(
      (name) => sql.ref(`t.${name}`),
    ),
  );
  const until = last === undefined ? sql`` : sql`and ${cursor} <= ${last}`;
  const names = naming(
    engine,
    person,
    shape.texts.map((name) => sql.ref(`t.${name}`)),
  );
  const { rows } = await sql<Row>`
    select ${columns} from ${table} as t where ${mine} and ${cursor} > ${from} ${until}
      and ${or === undefined ? names : sql`(${or} or ${names})`}
    order by ${cursor}
  `.execute(db);
  return { rows, next: last === undefined ? undefined : String(last) };
}

interface Replacers {
  text: (text: string) => string;
  key: (text: string) => string;
}

const changed = (texts: readonly string[], row: Row, replace: Replacers): Row =>
  Object.fromEntries(
    texts.flatMap((name) => {
      const text = String(row[name] ?? "");
      const replaced = (name === "key" ? replace.key : replace.text)(text);
      return replaced === text ? [] : [[name, replaced]];
    }),
  );

/** Returns the columns in which something is erased. `share` is the person's in the e-mail that the row is about. */
function erasedColumns(
  shape: LogShape,
  row: Row,
  { share, erase, erasedAs }: { share: Share | undefined; erase: Replacers; erasedAs: string },
): Row {
  const { words = "", message, answer, items = "" } = shape;
  const told = String(row[words] ?? "");
  const columns = changed(shape.texts, row, erase);
  const list = columns[items];
  if (list !== undefined) columns[items] = eraseItemKeys(String(list), { erase: erase.key, erasedAs });
  const reworded = eraseWords(told, share, { erase: erase.text, erasedAs });
  // What repeats the words goes with them, although it may not name the person.
  if (answer && row[answer] !== null && isAnswerTheirs({ told, reworded, share })) columns[answer] = "";
  if (reworded === told) return columns;
  return {
    ...columns,
    [words]: reworded,
    ...(message && {
      [message]: eraseLink(erase.text(String(row[message] ?? "")), erase.text(told), reworded),
    }),
  };
}

const isAnswerTheirs = (words: { told: string; reworded: string; share: Share | undefined }): boolean =>
  words.share !== undefined || words.reworded !== words.told;

/** Returns the rows of the next chunk that contain the address, without anybody else's. */
export async function search(
  db: Handle,
  engine: Engine,
  log: SearchedLog,
  person: Person,
  after: string,
): Promise<{ rows: FoundRow[]; next: string | undefined }> {
  const { texts, shown } = shapes[log];
  const { rows, next } = await readPiece(db, engine, { log, person, after });
  const replace = { text: replacerOf(person), key: replacerOf(person, { isKey: true }) };
  const found = rows.filter((row) => Object.keys(changed(texts, row, replace)).length > 0);
  const told = [...new Set([...shown, ...texts])];
  const hide = { text: othersHidden(person).inJson, key: othersHidden(person, { isKey: true }).inText };
  const shownAs = (row: Row, name: string) => {
    const value = row[name] ?? null;
    if (typeof value !== "string" || !texts.includes(name)) return value;
    return (name === "key" ? hide.key : hide.text)(value);
  };
  return {
    rows: found.map((row) => {
      const names = isOwnAct(row) ? [...told, "client_ip"] : told;
      return Object.fromEntries(names.map((name) => [name, shownAs(row, name)]));
    }),
    next,
  };
}

/** Replaces the person in the next chunk of a log; returns the number of rows. */
export const eraseFrom = (
  db: Handle,
  engine: Engine,
  log: SearchedLog,
  person: ErasedPerson,
  after: string,
): Promise<{ changed: number; next: string | undefined }> =>
  atomically(db, async (tx) => {
    const shape = shapes[log];
    const { key, words = "", answer = "", unnamed, mark } = shape;
    const { rows, next } = await readPiece(tx, engine, {
      log,
      person,
      after,
      ...(unnamed && { or: unnamed }),
    });
    const erase = { text: eraserOf(person), key: eraserOf(person, { isKey: true }) };
    const wordsOf = (row: Row): string => String(row[words] ?? "");
    const shareOf = await findShares(tx, engine, person, words === "" ? [] : rows.map(wordsOf));
    let count = 0;
    for (const row of rows) {
      const { erasedAs } = person;
      const changes = erasedColumns(shape, row, { share: shareOf(wordsOf(row)), erase, erasedAs });
      if (Object.keys(changes).length === 0) continue;
      if (isOwnAct(row)) changes["client_ip"] = "";
      // Two rows that differed only in the case of letters would collide.
      if (changes["key"] !== undefined) changes["key"] += `#${randomBytes(4).toString("hex")}`;
      const sets: RawBuilder<unknown>[] = Object.entries(changes).map(
        ([name, value]) => sql`${sql.ref(name)} = ${value}`,
      );
      if (mark && (words in changes || answer in changes)) sets.push(mark);
      const same = key.map((name) => sql`${sql.ref(name)} = ${row[name] ?? null}`);
      await sql`update ${engine.table(log)} set ${sql.join(sets)} where ${sql.join(same, sql` and `)}`.execute(
        tx,
      );
      count += 1;
    }
    return { changed: count, next };
  });

/** Counts the workspace's latest events that contain the address. */
export async function countEvents(
  db: Handle,
  engine: Engine,
  person: Person,
  latest: number,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select t.metadata, t.message from ${engine.table("events")} as t where t.workspace_id = ${person.workspaceId}
      order by t.id desc limit ${latest}
    ) as t where ${naming(engine, person, [sql.ref("t.metadata"), sql.ref("t.message")])}
  `.execute(db);
  return Number(rows[0]?.total ?? 0);
}
