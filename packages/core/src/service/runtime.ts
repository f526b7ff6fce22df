import type { Afterwards } from "../calls/afterwards.ts";
import type { Inlining } from "../content/inlining.ts";
import type { ReportTokens } from "../inbound/rules/report-token.ts";
import type { FilesInHand } from "../mail/attachments/files-in-hand.ts";
import type { Sending } from "../mail/submission/sending-facility.ts";
import type { Dns } from "../ports/dns.ts";
import type { HttpSender } from "../ports/http-sender.ts";
import type { Logger } from "../ports/logger.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { EventRecord } from "../ports/storage/events.ts";
import type { DkimAlgorithm, Storage } from "../ports/storage.ts";
import type { QueueClock } from "../queue/queue-clock.ts";
import type { Counters } from "./counters.ts";
import type { OnlyWorkspace } from "./only-workspace.ts";
import type { Config } from "./options.ts";

/** Signs and checks logins. */
export interface TokenSigner {
  sign(claims: { userId: number; sessionId: string; issuedAt: number; expiresAt: number }): Promise<string>;
  verify(token: string, now: number): Promise<{ userId: number; sessionId: string } | undefined>;
  /** Whether it was signed here, expired or not. */
  isOwn(token: string): boolean;
}

/** Encrypts what must be read again. `context` ties the text to its place: `table:column:id`. */
export interface SecretBox {
  /** Tells two secret keys apart, without telling anything of them. */
  fingerprint: string;
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** A digest of the text that nobody can make who lacks the key. `purpose` tells uses apart. */
  mac(text: string, purpose: string): string;
}

/** Hashes passwords off the event loop, a few at a time. */
export interface PasswordHasher {
  hash(password: string): Promise<string>;
  /** Costs the same for an unknown account, whose hash is `undefined`. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  needsRehash(hash: string): boolean;
}

/** What a call may use besides its storage: secrets, clocks, ids, the network. Nothing here reaches past the call's transaction. */
export interface Facilities {
  config: Config;
  /** Where calls act that name no workspace; `undefined` where each has to. */
  onlyWorkspace: OnlyWorkspace | undefined;
  mailer: Mailer;
  logger: Logger;
  /** ms since the epoch. */
  now(): number;
  /** The time that decides between processes: when something is due, and who has it. */
  queueClock: QueueClock;
  /** From 0 to under 1. */
  random(): number;
  /** A UUIDv7 of the present moment. */
  newId(): string;
  secrets: SecretBox;
  /** Of keys that were replaced: they open what left the house under them, and seal nothing. */
  formerSecrets: readonly Pick<SecretBox, "open">[];
  /** Signed names of e-mails, for what is reported of them. */
  reportTokens: ReportTokens;
  passwords: PasswordHasher;
  tokens: TokenSigner;
  inlining: Inlining;
  httpSender: HttpSender;
  dns: Dns;
  /** A key pair to sign mail with: PEM, and SubjectPublicKeyInfo in base64. */
  createKeyPair(algorithm: DkimAlgorithm): Promise<{ privateKey: string; publicKey: string }>;
  /** What files that come in hold up together. */
  filesInHand: FilesInHand;
  counters: Counters;
  /** Work of calls that have been answered already. */
  afterwards: Afterwards;
  /** Tells in-process listeners. Never throws. */
  tell(events: Omit<EventRecord, "id">[]): void;
}

/** What one service is made of. Nothing in it is shared with another. For workers and the road in: a use case sees its `Facilities`. */
export interface Runtime extends Facilities {
  /** Outside of every call's transaction. */
  storage: Storage<unknown>;
  /** On the service's own transactions. */
  sending: Sending;
}
