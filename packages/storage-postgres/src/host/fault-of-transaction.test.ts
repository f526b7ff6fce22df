import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { openTestPostgres, testPostgresUrl } from "../../test/open-test-storage.ts";
import { createPostgresStorage } from "../create-postgres-storage.ts";
import { hostTransaction } from "../index.ts";

async function begin(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: await testPostgresUrl() });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query("begin");
  return client;
}

test.for([
  ["a pg client", (client: pg.Client) => client],
  [
    "a wrapped one",
    (client: pg.Client) => hostTransaction((text, values) => client.query(text, [...values])),
  ],
] as const)("in a transaction of a role without rights, a call names the role, by %s", async ([, wrap]) => {
  const storage = await openTestPostgres();
  onTestFinished(() => storage.close());
  const client = await begin();
  await client.query("create role posthorn_host_only; set local role posthorn_host_only");
  const call = storage.within(wrap(client)).savepoint(({ workspaces }) => workspaces.find(1));
  await expect(call).rejects.toMatchObject({
    code: "42501",
    message: expect.stringMatching(
      /^the role of the host's transaction may not use Posthorn's tables: .* for schema/,
    ),
  });
});

test("in a transaction on a database without the tables, a call names the database", async () => {
  const storage = await createPostgresStorage({
    connectionString: await testPostgresUrl(),
    schema: "not_in_this_database",
  });
  onTestFinished(() => storage.close());
  const call = storage.within(await begin()).savepoint(({ workspaces }) => workspaces.find(1));
  await expect(call).rejects.toMatchObject({
    code: "42P01",
    message: expect.stringMatching(
      /^the host's transaction finds no table of Posthorn's: begin it on the database/,
    ),
  });
});
