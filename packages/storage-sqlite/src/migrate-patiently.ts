import { StorageUnavailable } from "@posthorn/core/storage";
import { isBusy, openPatienceMs } from "./connections/open-database.ts";

/**
 * Repeats migrating for as long as opening a file may take, because the process that holds the file may be one that
 * migrates it: on a slow disk that takes longer than other writes wait.
 */
export const migratePatiently = async (migrate: () => Promise<string[]>): Promise<string[]> => {
  const deadline = performance.now() + openPatienceMs;
  for (;;) {
    try {
      return await migrate();
    } catch (error) {
      const isHeld = error instanceof StorageUnavailable && isBusy(error.cause);
      if (!isHeld || performance.now() > deadline) throw error;
    }
  }
};
