import type { Attachments } from "@posthorn/core/storage";
import type { Engine, Handle } from "../../engine.ts";
import { createBlobs } from "./attachments/blobs.ts";
import { createHandles } from "./attachments/handles.ts";
import { deleteExpiredHandles, deleteUnusedFiles } from "./attachments/prune.ts";
import { createSets } from "./attachments/sets.ts";

/** Attached files: contents, lists of them, and uploads. */
export const createAttachmentsRepository = (db: Handle, engine: Engine): Attachments => ({
  ...createBlobs(db, engine),
  ...createSets(db, engine),
  ...createHandles(db, engine),
  deleteExpired: (now, limit) => deleteExpiredHandles(db, engine, { now, limit }),
  deleteUnused: (now, limit) => deleteUnusedFiles(db, engine, { now, limit }),
});
