import { createPostgresStorage } from "../src/index.ts";

// Started as a process by the tests; prints the migrations that it ran.
const [, , connectionString = "", schema = ""] = process.argv;
const storage = await createPostgresStorage({ connectionString, schema });
process.stdout.write(JSON.stringify(await storage.migrate()));
await storage.close();
