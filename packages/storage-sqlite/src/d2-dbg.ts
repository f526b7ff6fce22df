import Database from "better-sqlite3";
import { createSqliteStorage } from "./index.ts";

const p = Database.prototype.prepare;
Database.prototype.prepare = function (t: string) {
  try {
    return p.call(this, t);
  } catch (e) {
    console.log(t);
    throw e;
  }
};
const s = await createSqliteStorage({ filename: ":memory:" });
await s.migrate();
const w = await s.workspaces.insert({ name: "a", createdAt: 1 });
console.log(w);
console.log(await s.contents.put({ subject: "", html: "", text: "" }));
