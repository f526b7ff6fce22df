import { EntitySchema, MikroORM } from "@mikro-orm/postgresql";
import { createPostgresStorage } from "@posthorn/storage-postgres";
import { expect, onTestFinished, test } from "vitest";
import {
  newSchema,
  runOnce,
  testPostgresUrl,
  unhurried,
} from "../../packages/storage-postgres/test/open-test-storage.ts";

/** Creates a database with Posthorn's tables alone, and returns its connection string. */
const createDatabase = async (): Promise<string> => {
  const server = await testPostgresUrl();
  const name = newSchema();
  await runOnce(server, `create database ${name}`);
  onTestFinished(async () => void (await runOnce(server, `drop database ${name} with (force)`)));
  const { href } = Object.assign(new URL(server), { pathname: `/${name}` });
  const storage = await createPostgresStorage({ connectionString: href, timeouts: unhurried });
  await storage.migrate();
  await storage.close();
  return href;
};

test("MikroORM's update of the schema leaves Posthorn's tables if it is told to ignore them, as the docs say", async () => {
  const clientUrl = await createDatabase();
  const properties = { id: { type: "number", primary: true } } as const;
  const entities = [new EntitySchema({ name: "Order", tableName: "orders", properties })];
  const planned = async (ignoreSchema: string[]): Promise<string> => {
    const orm = await MikroORM.init({ clientUrl, entities, schemaGenerator: { ignoreSchema } });
    try {
      return await orm.schema.getUpdateSchemaSQL();
    } finally {
      await orm.close();
    }
  };
  expect(await planned([])).toContain('drop table if exists "posthorn"."emails"');
  const text = await planned(["posthorn"]);
  expect(text).toContain('create table "orders"');
  expect(text).not.toContain("posthorn");
});
