import { MikroORM } from "@mikro-orm/postgresql";
import type { TestHost } from "@posthorn/core/testing/contract";
import { drizzle } from "drizzle-orm/node-postgres";
import createKnex from "knex";
import pg from "pg";
import postgres from "postgres";
import { DataSource } from "typeorm";
import {
  ofDrizzle,
  ofKnex,
  ofMikroOrm,
  ofPostgresJs,
  ofPrisma,
  ofReserved,
  ofTypeOrm,
} from "./other-libraries.ts";
import { openPrisma } from "./test-prisma.ts";

/** A library on a database: its transactions, a wrong value that a host may pass instead of one, and its end. */
export interface Library extends Pick<TestHost, "transaction" | "wrong"> {
  close(): Promise<unknown>;
}

/** postgres.js does not answer queries on a released connection. */
export const bearsNothingAfterEnd = (name: string): boolean => name.includes("reserved");

type HostWork<T> = (host: { transaction: unknown; note(text: string): Promise<void> }) => Promise<T>;

const insertText = (text: string) => `insert into library_notes (text) values ('${text}')`;

/** By library: opens a pool of two connections, starts a transaction and writes in it. */
export const libraries: Record<string, (url: string) => Library | Promise<Library>> = {
  Drizzle(url) {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const db = drizzle(pool);
    return {
      transaction: (work) =>
        db.transaction((tx) =>
          work({
            transaction: ofDrizzle(tx),
            note: async (text) => void (await tx.execute(insertText(text))),
          }),
        ),
      wrong: [db, pool],
      close: () => pool.end(),
    };
  },
  Knex(url) {
    const knex = createKnex({ client: "pg", connection: url, pool: { min: 0, max: 2 } });
    return {
      transaction: (work) =>
        knex.transaction((trx) =>
          work({
            transaction: ofKnex(trx),
            note: async (text) => void (await trx("library_notes").insert({ text })),
          }),
        ),
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
          work({
            transaction: ofTypeOrm(manager),
            note: async (text) => void (await manager.query(insertText(text))),
          }),
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
        orm.em.fork().transactional((em) =>
          work({
            transaction: ofMikroOrm(em),
            note: async (text) => void (await em.execute(insertText(text))),
          }),
        ),
      wrong: [orm.em.getKysely(), orm.em],
      close: () => orm.close(),
    };
  },
  Prisma(url) {
    const prisma = openPrisma(url, 2);
    return {
      transaction: (work) =>
        prisma.$transaction(
          (tx) =>
            work({
              transaction: ofPrisma(tx),
              note: async (text) => void (await tx.$queryRawUnsafe(insertText(text))),
            }),
          // Prisma's default of five seconds is short on a busy machine.
          { maxWait: 20_000, timeout: 20_000 },
        ),
      wrong: [prisma],
      close: () => prisma.$disconnect(),
    };
  },
  "postgres.js"(url) {
    const pool = postgres(url, { max: 2, onnotice: () => {} });
    return {
      // Its types unwrap awaited values once more, which a type parameter can't follow.
      transaction: <T>(work: HostWork<T>) =>
        pool.begin((sql) =>
          work({
            transaction: ofPostgresJs(sql),
            note: async (text) => void (await sql.unsafe(insertText(text))),
          }),
        ) as Promise<T>,
      wrong: [pool],
      close: () => pool.end(),
    };
  },
  "postgres.js, on a reserved connection"(url) {
    const pool = postgres(url, { max: 2, onnotice: () => {} });
    return {
      async transaction(work) {
        const reserved = await pool.reserve();
        try {
          await reserved`begin`;
          const result = await work({
            transaction: ofReserved(reserved),
            note: async (text) => void (await reserved.unsafe(insertText(text))),
          });
          await reserved`commit`;
          return result;
        } catch (error) {
          await reserved`rollback`;
          throw error;
        } finally {
          reserved.release();
        }
      },
      wrong: [pool],
      close: () => pool.end(),
    };
  },
};
