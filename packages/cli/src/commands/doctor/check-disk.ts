import { existsSync, statfsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { SettingValues } from "../../program/settings/settings.ts";
import { sqliteFile } from "../../service/database/open-storage.ts";
import { broken, type Finding, ok, warning } from "./finding.ts";

const mebibyte = 1024 * 1024;

/** Checks the free space of the disk that a SQLite file, or with PostgreSQL the current folder's parent, is on. */
export function checkDisk({ database_url }: Pick<SettingValues, "database_url">): Finding {
  let folder = dirname(resolve(sqliteFile(database_url) ?? "."));
  // The first start tells of a folder that does not exist; its disk is that of the one above.
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, blocks, bsize } = statfsSync(folder);
  const [free, total] = [bavail * bsize, blocks * bsize];
  // File systems of the kernel, and some over a network, have no size.
  if (total === 0) return ok("disk", "its file system does not tell its size");
  const found = `${Math.round(free / mebibyte).toLocaleString("en")} MiB free (${Math.floor((free / total) * 100)} %)`;
  if (free < 64 * mebibyte)
    return broken("disk", found, "Free some space: with a full disk, new e-mails are refused.");
  if (free / total < 0.05) return warning("disk", found, "Free some space before the disk is full.");
  return ok("disk", found);
}
