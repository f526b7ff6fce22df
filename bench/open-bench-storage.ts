import type { Storage } from "@posthorn/core";

/** The storage behind `sqlite:FILE` or `postgres://…`. */
export async function openBenchStorage(url: string): Promise<Storage> {
  if (url.startsWith("sqlite:")) {
    const { createSqliteStorage } = await import("@posthorn/storage-sqlite");
    return createSqliteStorage({ filename: url.slice("sqlite:".length) });
  }
  const { createPostgresStorage } = await import("@posthorn/storage-postgres");
  return createPostgresStorage({ connectionString: url });
}
