import type { Storage } from "@posthorn/core";
import { createSecretBox } from "@posthorn/core/internal";
import type { SecretHolder } from "@posthorn/core/storage";
import { countOf } from "../../terminal/count-of.ts";

/** Secrets of one kind that another secret key sealed. */
export interface UnreadableSecrets {
  /** How many, of what, and the first of them. */
  found: string;
  /** What to do about the first. */
  advice: string;
}

/** Most of each kind that are counted. */
const most = 100;

type Remedy = (holder: SecretHolder, at: string) => string;

interface Kind {
  what: string;
  counted: [one: string, many: string];
  effect: string;
  remedy: Remedy;
}

const kinds: Readonly<Record<SecretHolder["kind"], Kind>> = {
  webhook: {
    what: "secret",
    counted: ["webhook", "webhooks"],
    effect: "nothing is delivered there",
    remedy: ({ id }, at) => `Rotate it: posthorn webhooks rotate-secret ${id}${at}`,
  },
  smtp_server: {
    what: "password",
    counted: ["mail server", "mail servers"],
    effect: "nothing is sent through it",
    remedy: ({ id }, at) => `Set it again: posthorn smtp-servers update ${id} --password-file FILE${at}`,
  },
  inbound_endpoint: {
    what: "secret",
    counted: ["inbound endpoint", "inbound endpoints"],
    effect: "its calls are answered 503",
    remedy: ({ id, name }, at) =>
      `Remove it: posthorn inbound-endpoints delete ${id}${at}; and add another: posthorn inbound-endpoints create ${name}${at}`,
  },
  domain: {
    what: "signing key",
    counted: ["domain", "domains"],
    effect: "mail from there is deferred",
    remedy: ({ name }, at) =>
      `Remove it: posthorn domains remove ${name}${at}; and add it again: posthorn domains add ${name}${at}`,
  },
  user: {
    what: "two-factor secret",
    counted: ["user", "users"],
    effect: "only recovery codes log in",
    remedy: ({ name }) => `Reset it: posthorn users reset-2fa ${name}`,
  },
};

/** Describes the stored secrets that another key than this one sealed, such as a lost one: one entry for each kind. */
export async function findUnreadableSecrets(
  storage: Storage,
  secretKey: string,
): Promise<UnreadableSecrets[]> {
  const { sealPrefix } = createSecretBox(secretKey);
  const holders = await storage.operations.listSealedOtherwise(sealPrefix, most);
  return [...Map.groupBy(holders, ({ kind }) => kind)].map(([kind, [first, ...others]]) => {
    const { what, counted, effect, remedy } = kinds[kind];
    const [one, many] = counted;
    const count = others.length + 1;
    const { name = "", workspaceId } = first ?? {};
    const place = workspaceId === undefined ? "" : ` of workspace ${workspaceId}`;
    const which = count === 1 ? `${name}${place}` : `the first is ${name}${place}`;
    const holding = count === most ? `${most} ${many} or more` : countOf(count, one, many);
    const at = workspaceId === undefined ? "" : ` --workspace ${workspaceId}`;
    return {
      found: `another key sealed the ${what} of ${holding} (${which}): ${effect}`,
      advice: first === undefined ? "" : remedy(first, at),
    };
  });
}
