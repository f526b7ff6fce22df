import { MikroORM } from "@mikro-orm/postgresql";
import { ServiceError } from "@posthorn/core";
import { createWorld, type MemoryMailer, type TestWorkspace, type World } from "@posthorn/core/testing";
import { hostTransaction } from "@posthorn/storage-postgres";
import { PrismaPg } from "@prisma/adapter-pg";
import { getPrismaClient } from "@prisma/client/runtime/client";
import { drizzle } from "drizzle-orm/node-postgres";
import createKnex from "knex";
import pg from "pg";
import postgres from "postgres";
import { DataSource } from "typeorm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../packages/storage-postgres/test/open-test-storage.ts";
import { ofDrizzle, ofKnex, ofMikroOrm, ofPostgresJs, ofPrisma, ofTypeOrm } from "./other-libraries.ts";

/** A library, opened on a database. */
interface Library {
  /** Runs work in a transaction of the library's: commits when it resolves, rolls back when it rejects. */
  transaction(
    work: (transaction: unknown, insert: (article: string) => Promise<unknown>) => Promise<void>,
  ): Promise<unknown>;
  /** What a host may pass in error, where it isn't the transaction. */
  wrong: unknown[];
  close(): Promise<unknown>;
}

const insertText = (article: string) => `insert into host_orders (article) values ('${article}')`;

/** What Node has, and the types of neither Node nor the language name. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<unknown> };
};

/** Parts of Prisma that its generator writes imports of, and that have no types. */
const prismaRuntime = (file: string) => import(`@prisma/client/runtime/${file}`);

/** A client as `prisma generate` writes it, of a schema without models. */
const GeneratedPrisma = getPrismaClient({
  previewFeatures: [],
  clientVersion: "7.10.1",
  engineVersion: "none",
  activeProvider: "postgresql",
  inlineSchema: 'datasource db {\n  provider = "postgresql"\n}\n',
  runtimeDataModel: { models: {}, enums: {}, types: {} },
  parameterizationSchema: { strings: [], graph: "AAAA" },
  compilerWasm: {
    getRuntime: () => prismaRuntime("query_compiler_fast_bg.postgresql.mjs"),
    getQueryCompilerWasmModule: async () => {
      const { wasm } = await prismaRuntime("query_compiler_fast_bg.postgresql.wasm-base64.mjs");
      return WebAssembly.compile(Buffer.from(wasm, "base64"));
    },
    importName: "./query_compiler_fast_bg.js",
  },
});

interface PrismaClient {
  $queryRawUnsafe(text: string, ...values: unknown[]): Promise<object[]>;
  $transaction<T>(work: (tx: PrismaClient) => Promise<T>): Promise<T>;
  $disconnect(): Promise<void>;
}

const libraries: Record<string, (url: string) => Library | Promise<Library>> = {
  Drizzle(url) {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const db = drizzle(pool);
    return {
      transaction: (work) =>
        db.transaction((tx) => work(ofDrizzle(tx), (article) => tx.execute(insertText(article)))),
      wrong: [db, pool],
      close: () => pool.end(),
    };
  },
  Knex(url) {
    const knex = createKnex({ client: "pg", connection: url, pool: { min: 0, max: 2 } });
    return {
      transaction: (work) =>
        knex.transaction((trx) => work(ofKnex(trx), (article) => trx("host_orders").insert({ article }))),
      wrong: [knex],
      close: () => knex.destroy(),
    };
  },
  async TypeORM(url) {
    const source = new DataSource({ type: "postgres", url, poolSize: 2 });
    await source.initialize();
    return {
      transaction: (work) =>
        source.transaction((manager) =>
          work(ofTypeOrm(manager), (article) => manager.query(insertText(article))),
        ),
      wrong: [source, source.manager],
      close: () => source.destroy(),
    };
  },
  async MikroORM(url) {
    const discovery = { warnWhenNoEntities: false };
    const orm = await MikroORM.init({ clientUrl: url, entities: [], discovery });
    return {
      transaction: (work) =>
        orm.em
          .fork()
          .transactional((em) => work(ofMikroOrm(em), (article) => em.execute(insertText(article)))),
      wrong: [orm.em.getKysely(), orm.em],
      close: () => orm.close(),
    };
  },
  "postgres.js"(url) {
    const sql = postgres(url, { max: 2, onnotice: () => {} });
    return {
      async transaction(work) {
        const reserved = await sql.reserve();
        try {
          await reserved`begin`;
          await work(ofPostgresJs(reserved), (article) => reserved.unsafe(insertText(article)));
          await reserved`commit`;
        } catch (error) {
          await reserved`rollback`;
          throw error;
        } finally {
          reserved.release();
        }
      },
      wrong: [sql],
      close: () => sql.end(),
    };
  },
  Prisma(url) {
    const options = { adapter: new PrismaPg({ connectionString: url, max: 2 }) };
    const prisma = new GeneratedPrisma(options as never) as unknown as PrismaClient;
    return {
      transaction: (work) =>
        prisma.$transaction((tx) => work(ofPrisma(tx), (article) => tx.$queryRawUnsafe(insertText(article)))),
      wrong: [prisma],
      close: () => prisma.$disconnect(),
    };
  },
};

let connectionString = "";
let world: World<MemoryMailer, unknown>;
let workspace: TestWorkspace;
let pool: pg.Pool;
beforeAll(async () => {
  connectionString = await testPostgresUrl();
  world = await createWorld(await openTestPostgres());
  workspace = await world.addWorkspace();
  await world.posthorn.templates.create(
    { name: "taken", subject: "Hello {{name}}", text: "t" },
    workspace.asOwner,
  );
  pool = new pg.Pool({ connectionString, max: 1 });
  await pool.query("create table host_orders (article text)");
});
afterAll(async () => {
  await pool.query("drop table host_orders");
  await pool.end();
  await world.close();
});

const mail = (subject: string) => ({ to: ["ada@example.com"], subject, text: "Hello.", tags: ["a", "b"] });
const subjects = async () => {
  const { items } = await world.posthorn.emails.list({}, { workspaceId: workspace.id });
  return items.map(({ subject }) => subject);
};

describe.each(Object.entries(libraries))("inside a transaction of %s", (name, open) => {
  const article = (one: string) => `${one} by ${name}`;

  test("mail is accepted with the host's own rows or not at all, and a refusal leaves nothing", async () => {
    const library = await open(connectionString);
    const { posthorn } = world;
    const inside = { workspaceId: workspace.id };
    await library.transaction(async (transaction, insert) => {
      await insert(article("coat"));
      await posthorn.emails.send(mail(`${name}, kept`), { ...inside, transaction });
      const refused = posthorn.templates.create(
        { name: "taken", subject: "s", text: "t" },
        { ...workspace.asOwner, transaction },
      );
      await expect(refused).rejects.toMatchObject({ code: "template_name_taken" });
      const templated = { to: ["ada@example.com"], template: "taken", templateData: { name } };
      await posthorn.emails.sendTemplate(templated, { ...inside, transaction });
      await insert(article("hat"));
      expect(await subjects()).not.toContain(`${name}, kept`);
    });
    const rolledBack = library.transaction(async (transaction, insert) => {
      await insert(article("scarf"));
      await posthorn.emails.send(mail(`${name}, dropped`), { ...inside, transaction });
      throw new RangeError("sold out");
    });
    await expect(rolledBack).rejects.toThrow("sold out");
    for (const wrong of library.wrong) expect(() => world.storage.within(wrong)).toThrow(TypeError);
    await library.close();
    const { rows } = await pool.query<{ article: string }>(
      "select article from host_orders where article like $1",
      [article("%")],
    );
    expect(rows.map((row) => row.article).sort()).toEqual([article("coat"), article("hat")]);
    const sent = (await subjects()).filter((subject) => subject.includes(name));
    expect(sent.sort()).toEqual([`${name}, kept`, `Hello ${name}`].sort());
  });
});

test("statements that run outside a transaction are told as that, and nothing is written", async () => {
  const transaction = hostTransaction(async (text, values) => (await pool.query(text, [...values])).rows);
  const sent = world.posthorn.emails.send(mail("alone"), { workspaceId: workspace.id, transaction });
  const error = await sent.catch((thrown: unknown) => thrown);
  expect(error).not.toBeInstanceOf(ServiceError);
  expect(String(error)).toContain("no transaction is open where hostTransaction's query runs");
  expect(await subjects()).not.toContain("alone");
});
