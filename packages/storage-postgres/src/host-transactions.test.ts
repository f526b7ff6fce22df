import { testHostTransactions } from "@posthorn/core/testing/contract";
import pg from "pg";
import { openTestPostgres, testPostgresUrl } from "../test/open-test-storage.ts";

testHostTransactions("PostgreSQL, by pg", async () => {
  const pool = new pg.Pool({ connectionString: await testPostgresUrl(), max: 2 });
  await pool.query("create table if not exists host_notes (id int generated always as identity, text text)");
  await pool.query("truncate host_notes");
  return {
    storage: await openTestPostgres(),
    async transaction(work) {
      const client = await pool.connect();
      try {
        await client.query("begin");
        const result = await work({
          transaction: client,
          note: async (text) =>
            void (await client.query("insert into host_notes (text) values ($1)", [text])),
        });
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    },
    notes: async () =>
      (await pool.query<{ text: string }>("select text from host_notes order by id")).rows.map(
        ({ text }) => text,
      ),
    close: () => pool.end(),
  };
});
