import { StorageUnavailable } from "./storage.ts";

/** Whether a call failed because other transactions keep rows locked that it needs, so that what needs others may go on. */
export const isLocked = (error: unknown): boolean => error instanceof StorageUnavailable && error.isLocked;
