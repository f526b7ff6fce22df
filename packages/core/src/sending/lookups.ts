import type { ApiKey, SendableVersion, SendingContext } from "../ports/storage.ts";

/** Reads of the sending path. Those asked for in the same tick go to the storage as one. Nothing is cached. */
export interface Lookups {
  findApiKey(digest: string): Promise<(ApiKey & { digest: string }) | undefined>;
  findSendingContext(workspaceId: number): Promise<SendingContext | undefined>;
  findActiveVersion(workspaceId: number, templateName: string): Promise<SendableVersion | undefined>;
}
