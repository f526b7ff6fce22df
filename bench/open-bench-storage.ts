import type { Storage } from "@posthorn/core";

/** Opens the storage of `sqlite:FILE` or `postgres://…`, whose `?schema=` names the schema. */
export async function openBenchStorage(url: string): Promise<Storage> {
  if (url.startsWith("sqlite:")) {
    const { createSqliteStorage } = await import("@posthorn/storage-sqlite");
    return createSqliteStorage({ filename: url.slice("sqlite:".length) });
  }
  const { createPostgresStorage } = await import("@posthorn/storage-postgres");
  const parsed = new URL(url);
  const schema = parsed.searchParams.get("schema") ?? "posthorn";
  parsed.searchParams.delete("schema");
  return createPostgresStorage({ connectionString: parsed.href, schema });
}
