import { findHolders, realPathOf } from "../../service/database/find-holders.ts";
import { broken, type Finding, ok } from "./finding.ts";

const name = "open files";

/** Looks for processes with a deleted database file open: their writes are lost. Only Linux reports this. */
export async function checkOpenFiles(filename: string, processes = "/proc"): Promise<Finding[]> {
  const path = await realPathOf(filename);
  const gone = new Set([path, `${path}-wal`, `${path}-shm`].map((one) => `${one} (deleted)`));
  const holders = await findHolders(gone, processes);
  if (holders === undefined) return [];
  const [first] = holders;
  if (first === undefined)
    return [ok(name, "no process that this user can see uses a removed or replaced file")];
  return [
    broken(
      name,
      `${first.file.replace(/ \(deleted\)$/, "")} was removed or replaced while process ${holders.map(({ pid }) => pid).join(", ")} uses it: e-mails that it accepts are lost`,
      "Stop that process, put the file back or restore a backup, and start.",
    ),
  ];
}
