import { version } from "../version.ts";

/** Throws a `TypeError` unless a host without types passed a storage. */
export function assertStorage(storage: unknown): void {
  if (storage instanceof Promise)
    throw new TypeError("storage is a promise: await createSqliteStorage or createPostgresStorage first");
  const { transaction, within, version: itsVersion = version }: Record<string, unknown> = Object(storage);
  // A database's own handle has a method `transaction`, too.
  if (typeof transaction !== "function" || typeof within !== "function")
    throw new TypeError("storage must be a storage such as createSqliteStorage's");
  // It may lack what this version calls, which only a later call would meet.
  if (itsVersion !== version)
    throw new TypeError(
      `storage is of Posthorn ${itsVersion}, but @posthorn/core of ${version}: install all its packages in one version`,
    );
}
