import { createPostgresStorage } from "../src/index.ts";

// Started as a process by the tests; prints the migrations that it ran.
const [, , connectionString = "", schema = ""] = process.argv;
// Several of them load the sources at once on a busy machine.
const timeouts = { connect: 30_000, turn: 30_000, statement: 30_000, lock: 20_000, query: 40_000 };
const storage = await createPostgresStorage({ connectionString, schema, timeouts });
process.stdout.write(JSON.stringify(await storage.migrate()));
await storage.close();
