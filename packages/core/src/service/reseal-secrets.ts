import { privateKeyContext } from "../domains/rules/dkim-names.ts";
import { totpContext } from "../identity/two-factor/totp-secret.ts";
import { endpointSecretContext } from "../inbound/endpoints/endpoint-view.ts";
import { passwordContext } from "../mail/smtp-servers/smtp-server-view.ts";
import { contentContext } from "../mail/submission/sealed-content.ts";
import { type SealedColumn, type SealedText, type Storage, sealedColumns } from "../ports/storage.ts";
import { type SecretBox, SecretUnreadable } from "../rules/secret-box.ts";
import { secretContext } from "../webhooks/webhook-view.ts";

/** Numbers of stored secrets by what they are. */
export interface SecretCounts {
  /** Signing secrets of webhooks, the former ones that still sign included. */
  webhookSecrets: number;
  /** Passwords of workspaces' mail servers. */
  smtpPasswords: number;
  /** Secrets of inbound endpoints. */
  inboundSecrets: number;
  /** DKIM keys of sending domains. */
  dkimKeys: number;
  /** Secrets of two-factor logins. */
  twoFactorSecrets: number;
  /** Queued e-mails that are sensitive, or hold tokens. */
  emails: number;
}

/** What another secret key than the service's has sealed. */
export interface SealedOtherwise {
  /** What a former key opens: sealed anew, or to be in a dry run. */
  resealed: SecretCounts;
  /** What no known key opens. */
  unreadable: SecretCounts;
}

export interface Resealing {
  storage: Pick<Storage, "operations">;
  secrets: Pick<SecretBox, "seal" | "sealPrefix">;
  formerSecrets: readonly Pick<SecretBox, "open">[];
  now(): number;
}

interface Kind {
  kind: keyof SecretCounts;
  /** The context that its texts are sealed for. */
  contextOf(this: void, text: SealedText): string;
}

const webhook: Kind = { kind: "webhookSecrets", contextOf: ({ holder }) => secretContext(holder) };
const twoFactor: Kind = { kind: "twoFactorSecrets", contextOf: ({ holder }) => totpContext(Number(holder)) };

const kinds: Readonly<Record<SealedColumn, Kind>> = {
  "webhooks.secret": webhook,
  "webhooks.former_secret": webhook,
  "smtp_servers.password": { kind: "smtpPasswords", contextOf: ({ holder }) => passwordContext(holder) },
  "inbound_endpoints.secret": {
    kind: "inboundSecrets",
    contextOf: ({ holder }) => endpointSecretContext(holder),
  },
  "domain_keys.private_key": {
    kind: "dkimKeys",
    contextOf: ({ holder, selector }) => privateKeyContext(holder, selector),
  },
  "users.totp_secret": twoFactor,
  "users.pending_totp_secret": twoFactor,
  "email_payloads.payload": { kind: "emails", contextOf: ({ holder }) => contentContext(holder) },
};

const noSecrets = (): SecretCounts => ({
  webhookSecrets: 0,
  smtpPasswords: 0,
  inboundSecrets: 0,
  dkimKeys: 0,
  twoFactorSecrets: 0,
  emails: 0,
});

/**
 * Seals every stored secret that a former key opens under the service's own, piece by piece, and counts them with those
 * that no known key opens; `dryRun` only counts. One that was interrupted can be repeated: what it has sealed is passed
 * over.
 */
export async function resealSecrets(
  { storage: { operations }, secrets, formerSecrets, now }: Resealing,
  { dryRun }: { dryRun: boolean },
): Promise<SealedOtherwise> {
  const counts: SealedOtherwise = { resealed: noSecrets(), unreadable: noSecrets() };
  for (const column of sealedColumns) {
    const { kind, contextOf } = kinds[column];
    let piece = await operations.listSealed(column, 0);
    while (piece.length > 0) {
      const changes: { row: number; sealed: string; resealed: string }[] = [];
      for (const text of piece) {
        const { row, sealed, expiresAt } = text;
        if (sealed.startsWith(secrets.sealPrefix)) continue;
        const context = contextOf(text);
        const plain = openByAny(formerSecrets, sealed, context);
        if (plain !== undefined) {
          counts.resealed[kind] += 1;
          if (!dryRun) changes.push({ row, sealed, resealed: secrets.seal(plain, context) });
        } else if (expiresAt === undefined || expiresAt > now()) counts.unreadable[kind] += 1;
      }
      if (changes.length > 0) await operations.replaceSealed(column, changes);
      piece = await operations.listSealed(column, piece.at(-1)?.row ?? 0);
    }
  }
  return counts;
}

/** Decrypts with the first key that can; `undefined` if none can. */
function openByAny(boxes: Resealing["formerSecrets"], sealed: string, context: string): string | undefined {
  for (const box of boxes) {
    try {
      return box.open(sealed, context);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
    }
  }
  return undefined;
}
