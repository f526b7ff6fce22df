import { databaseFault } from "../../program/errors/database-fault.ts";
import { isSameFile } from "./is-same-file.ts";
import { placeOf, sqliteFile } from "./open-storage.ts";

/** Whether two URLs lead to one database: a file has several names, and a server several addresses. */
export async function isSameDatabase(oneUrl: string, otherUrl: string): Promise<boolean> {
  if (oneUrl === otherUrl) return true;
  const [one, other] = [sqliteFile(oneUrl), sqliteFile(otherUrl)];
  if (one !== undefined && other !== undefined) return isSameFile(one, other);
  if (one !== undefined || other !== undefined) return false;
  return (await identityOf(oneUrl)) === (await identityOf(otherUrl));
}

async function identityOf(databaseUrl: string): Promise<string> {
  const { examinePostgres } = await import("@posthorn/storage-postgres/internal");
  try {
    return (await examinePostgres(databaseUrl)).identity;
  } catch (error) {
    throw databaseFault(error, placeOf(databaseUrl));
  }
}
