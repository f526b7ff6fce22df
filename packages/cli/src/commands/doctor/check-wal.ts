import { stat } from "node:fs/promises";
import { findHolders, realPathOf } from "../../service/database/find-holders.ts";
import { type Finding, ok, warning } from "./finding.ts";

const mebibyte = 1024 * 1024;
/** SQLite writes a WAL back at 4 MiB, unless somebody still reads what it is about to overwrite. */
const mostBytes = 64 * mebibyte;

/** Looks for a WAL that grows, because a program keeps a transaction open on the SQLite file. */
export async function checkWal(filename: string, processes = "/proc"): Promise<Finding> {
  const wal = `${await realPathOf(filename)}-wal`;
  const size = await stat(wal).then(
    (found) => found.size,
    () => 0,
  );
  const found = `${Math.round(size / mebibyte).toLocaleString("en")} MiB`;
  if (size <= mostBytes) return ok("WAL", found);
  const holders = (await findHolders(new Set([wal]), processes)) ?? [];
  const users = holders.map(({ pid }) => pid).filter((pid) => pid !== process.pid);
  return warning(
    "WAL",
    `${found} in ${wal}: a program keeps a transaction open on the file${users.length === 0 ? "" : `, in use by process ${users.join(", ")}`}`,
    "End it, such as a shell left open or a long copy: until then the WAL grows, until the disk is full.",
  );
}
