import { access, constants, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";

const memoryFolder = "/dev/shm";
const neededBytes = 2 ** 31;

/**
 * Returns a folder in memory, or the one for temporary files: a container may have too little room in memory, and other systems
 * have no such folder.
 */
export async function findMemoryFolder(): Promise<string> {
  try {
    const { bavail, bsize } = await statfs(memoryFolder);
    await access(memoryFolder, constants.W_OK);
    return bavail * bsize < neededBytes ? tmpdir() : memoryFolder;
  } catch {
    return tmpdir();
  }
}
