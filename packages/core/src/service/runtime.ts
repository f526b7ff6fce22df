import type { BackgroundWork } from "../calls/background-work.ts";
import type { LongWork } from "../calls/long-work.ts";
import type { SharedCalls } from "../calls/shared-calls.ts";
import type { Inlining } from "../content/inlining.ts";
import type { ReportTokens } from "../inbound/rules/report-token.ts";
import type { SnsCertificates } from "../inbound/sns-certificates.ts";
import type { Acceptance } from "../mail/acceptance/acceptance.ts";
import type { UploadLimits } from "../mail/attachments/upload-limits.ts";
import type { Dns } from "../ports/dns.ts";
import type { HttpSender } from "../ports/http-sender.ts";
import type { Logger } from "../ports/logger.ts";
import type { Mailer } from "../ports/mailer.ts";
import type { DkimAlgorithm, EventRecord, Storage } from "../ports/storage.ts";
import type { Turns } from "../ports/turns.ts";
import type { QueueClock } from "../queue/queue-clock.ts";
import type { HitCollector } from "../tracking/hits/create-hit-collector.ts";
import type { TrackingTokens } from "../tracking/rules/tracking-token.ts";
import type { Counters } from "./counters.ts";
import type { OnlyWorkspace } from "./only-workspace.ts";
import type { Config } from "./options.ts";

/** Signs and verifies session tokens. */
export interface TokenSigner {
  sign(claims: { userId: number; sessionId: string; issuedAt: number; expiresAt: number }): Promise<string>;
  verify(token: string, now: number): Promise<{ userId: number; sessionId: string } | undefined>;
  /** Whether the token was signed by this service, expired or not. */
  isOwn(token: string): boolean;
}

/** Encrypts secrets that must be readable later. `context` binds the text to its place: `table:column:id`. */
export interface SecretBox {
  /** Identifies the secret key without revealing it. */
  fingerprint: string;
  /** What its sealed texts begin with, and those of another key do not. */
  sealPrefix: string;
  seal(plain: string, context: string): string;
  open(sealed: string, context: string): string;
  /** Returns a keyed digest of the text. `purpose` separates uses. */
  mac(text: string, purpose: string): string;
}

/** Hashes passwords outside the event loop, a few at a time. Throws `TooBusy` if too many wait. */
export interface PasswordHasher {
  /** Returns a PHC string to store. */
  hash(password: string): Promise<string>;
  /** Whether the password matches the hash. A missing or unreadable hash takes the same time. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
  /** Whether the hash was made with other parameters than the current ones and should be replaced at login. */
  needsRehash(hash: string): boolean;
  /**
   * Returns what replaces a password's outdated hash, of one that was made here always the same: of two logins at once,
   * each knows what the other stores.
   */
  rehash(hash: string, password: string): Promise<string>;
}

/**
 * What a call may use besides its storage: secrets, clocks, ids, the network. No facility gives access beyond the
 * call's transaction.
 */
export interface Facilities {
  config: Config;
  /** The workspace of calls that name none; `undefined` if each call has to name one. */
  onlyWorkspace: OnlyWorkspace | undefined;
  mailer: Mailer;
  logger: Logger;
  /**
   * Current time, ms since the epoch, which decides all that callers see: windows of quotas, ends of logins and keys. It
   * is the queue's time if machines share the database, else that of the service's clock.
   */
  now(): number;
  /** The database's clock. It decides when work is due and when leases end. */
  queueClock: QueueClock;
  /** Returns a random number from 0 to under 1. */
  random(): number;
  /** Returns a UUIDv7 for the present time. */
  newId(): string;
  secrets: SecretBox;
  /**
   * Boxes of former secret keys: they open what left the service under those keys, and what is stored while the key is
   * replaced. They seal nothing.
   */
  formerSecrets: readonly Pick<SecretBox, "fingerprint" | "open">[];
  /** Signed tokens that identify e-mails in bounce reports. */
  reportTokens: ReportTokens;
  /** Makes and reads the tokens in tracked links and images. */
  trackingTokens: TrackingTokens;
  passwords: PasswordHasher;
  /** Turns of attempts at passwords, by the key of the guard that counts them. */
  passwordTurns: Turns;
  tokens: TokenSigner;
  inlining: Inlining;
  httpSender: HttpSender;
  /** Certificates of Amazon SNS that have verified a message. */
  snsCertificates: SnsCertificates;
  dns: Dns;
  /** Creates a DKIM key pair: the private key in PEM, the public key as SubjectPublicKeyInfo in base64. */
  createKeyPair(algorithm: DkimAlgorithm): Promise<{ privateKey: string; publicKey: string }>;
  /** Limits on files that are being received at once. */
  uploadLimits: UploadLimits;
  counters: Counters;
  /** Work that calls leave for after their answer. */
  backgroundWork: BackgroundWork;
  /** Notifies in-process listeners. Never throws. */
  tell(events: Omit<EventRecord, "id">[]): void;
}

/**
 * The parts of one service, shared with no other. For workers and for the execution of calls: a use case gets only its
 * `Facilities`.
 */
export interface Runtime extends Facilities {
  /** The storage outside of every call's transaction. */
  storage: Storage<unknown>;
  /** Accepts e-mails in the service's own transactions. */
  acceptance: Acceptance;
  /** Opens and clicks that are not yet written. */
  hits: HitCollector;
  /** Calls that equal ones share. */
  sharedCalls: SharedCalls;
  /** Turns of calls that work for long. */
  longWork: LongWork;
  /** Turns of calls that may be short: a workspace's many would otherwise hold the thread one after another. */
  shortWork: Pick<LongWork, "pause">;
}
