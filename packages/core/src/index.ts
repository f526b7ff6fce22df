export type * from "./ports/clock.ts";
export type * from "./ports/http-sender.ts";
export type * from "./ports/logger.ts";
export type * from "./ports/mailer.ts";
export type * from "./ports/storage.ts";
export { StorageUnavailable, UniqueViolation } from "./ports/storage.ts";
