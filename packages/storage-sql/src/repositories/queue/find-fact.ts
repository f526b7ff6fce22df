import type { FactName } from "@posthorn/core/storage";
import type { Handle } from "../../engine.ts";

/** Returns the value of a fact that the database stores about itself; `undefined` if there is none. */
export const findFact = async (db: Handle, name: FactName): Promise<string | undefined> =>
  (await db.selectFrom("facts").select("value").where("name", "=", name).executeTakeFirst())?.value;
