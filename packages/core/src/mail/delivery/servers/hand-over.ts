import { AttachmentUnreadable, type MailMessage, type MailResult } from "../../../ports/mailer.ts";
import type { ClaimedEmail, SmtpServer } from "../../../ports/storage.ts";
import type { Tenure } from "../../../queue/loop/work.ts";
import { domainOf } from "../../../rules/addresses.ts";
import type { Runtime } from "../../../service/runtime.ts";
import { isCampaignRoute, isServersRoute } from "../../rules/routes.ts";
import type { Handover } from "../attempt-trace.ts";
import { type Composed, DomainNotVerified } from "../composing/compose-mail.ts";
import { createLargeTurns } from "../composing/large-turns.ts";
import { envelopeSender } from "../composing/return-path.ts";
import { createBoundedSend } from "./bounded-send.ts";
import { type Carrier, createCarrierFinder } from "./find-carriers.ts";
import { isServersFault } from "./route-hold.ts";
import { createServerWay, deferAll, holdAll, lonely, type MarkedSend, type OneWay } from "./server-way.ts";

/** The result of sending a message, and the workspace's own server it went through. */
export interface HandedOver extends OneWay {
  /** Every server that was used, in order. */
  handovers: Handover[];
}

/**
 * Sends messages through their server, and through the next if that one accepts none, as long as they are this worker's.
 */
export type HandOver = (
  claimed: ClaimedEmail,
  composed: Composed,
  tenure: Tenure,
) => Promise<HandedOver | Rerouted>;

/** An e-mail that was not handed over, because it has to wait on another route: its servers are others by now. */
export interface Rerouted {
  route: string;
}

/**
 * Chooses a server for each message, because servers come and go. It falls back to the next only if nothing was
 * transmitted and the server is at fault (`held`): a verdict on a recipient or the content stands, and a message in
 * doubt is never sent elsewhere (platform.md P5).
 */
export function createHandOver(runtime: Runtime): HandOver {
  const carrierFinder = createCarrierFinder(runtime);
  const send = createMarkedSend(runtime);
  const viaServer = createServerWay(runtime, send);

  const viaPlatform = (
    claimed: ClaimedEmail,
    { message, units, returnPathDomain = runtime.config.returnPathDomain }: Composed,
    tenure: Tenure,
  ): Promise<MailResult> => {
    if (message.server !== undefined) delete message.server;
    const from = envelopeSender(runtime, claimed, message, returnPathDomain);
    message.envelope = { from, to: message.envelope.to };
    return send(message, units, tenure);
  };

  return async (claimed, composed, tenure) => {
    const { message, ownServers } = composed;
    if (claimed.email.workspaceId === undefined || !mayChoose(claimed.route)) {
      const route = await carrierFinder.otherRoute(claimed, composed);
      if (route !== undefined) return { route };
      if (ownServers !== undefined) return withoutOwnServer(composed);
      const result = await viaPlatform(claimed, composed, tenure);
      return { result, server: undefined, handovers: [handoverOf("platform", result)] };
    }
    const all = (await carrierFinder.find(claimed, composed)) ?? [];
    if (all.length === 0 && ownServers !== undefined) return withoutOwnServer(composed);
    const carriers = all.filter((carrier) => speaksTls(carrier, message));
    // A hold would also delay mail that needs no TLS.
    if (carriers.length === 0 && all.length > 0)
      return { result: deferAll(message, noTls), server: undefined, handovers: [] };
    const sender = message.envelope.from;
    const handovers: Handover[] = [];
    let stands: OneWay | undefined;
    for (const [place, carrier] of carriers.entries()) {
      message.envelope = { ...message.envelope, from: sender };
      const patienceMs = carriers.slice(place + 1).some(isUp) ? patience : undefined;
      const handed = await (carrier === "platform"
        ? viaPlatform(claimed, composed, tenure).then((result) => ({ result, server: undefined }))
        : viaServer(carrier, message, {
            tenure,
            units: composed.units,
            patienceMs,
            needsLogin: ownServers !== undefined,
            sender: () => senderFor(runtime, carrier, claimed, composed),
          }));
      const { held } = handed.result;
      handovers.push(handoverOf(carrier, handed.result));
      if (held === undefined || !isServersFault(held)) return { ...handed, handovers };
      if (stands === undefined || held.retryAfterMs < (stands.result.held?.retryAfterMs ?? 0))
        stands = handed;
    }
    const standing = stands ?? holdAll(message, { ...lonely, reason: noServer });
    return { ...standing, handovers };
  };
}

/** Thrown for what the mailer threw. The message may have been transmitted, unlike with any other error. */
export class MailerFailed extends Error {
  override readonly name = "MailerFailed";
}

function createMarkedSend(runtime: Runtime): MarkedSend {
  const send = createBoundedSend(runtime);
  const { enter } = createLargeTurns();
  return async (message, units, tenure) => {
    const turn = enter(units);
    if (turn !== undefined) await turn;
    try {
      return await send(message, tenure);
    } catch (cause) {
      if (cause instanceof AttachmentUnreadable) throw cause;
      throw new MailerFailed("the mailer failed", { cause });
    }
  };
}

/**
 * Ms for which a server may be silent before the next is tried, if there is one not known to be down: an urgent mail
 * must be out within 5 s of its server's death (platform.md P5), and a machine that hangs dies silently.
 */
const patience = 3_000;

const isUp = (carrier: Carrier): boolean => carrier === "platform" || carrier.health.state !== "down";

/** Makes the part of an attempt's trace for one server. */
const handoverOf = (carrier: Carrier, { held, steps }: OneWay["result"]): Handover => ({
  smtpServerId: carrier === "platform" ? undefined : carrier.id,
  held: held && `${held.cause}: ${held.reason}`,
  steps: steps ?? [],
});

/**
 * Whether the carrier may be used for the message under its TLS requirement. For the operator's server only the mailer
 * knows.
 */
const speaksTls = (carrier: Carrier, { requiresTls = false }: MailMessage): boolean =>
  !requiresTls || carrier === "platform" || carrier.security !== "none";

/** Returns the envelope sender that the workspace's server is configured for. */
function senderFor(
  runtime: Runtime,
  { returnPath }: SmtpServer,
  claimed: ClaimedEmail,
  { message, returnPathDomain }: Composed,
): string {
  const { from } = message.envelope;
  // The null sender asks for no bounces, whatever envelope sender is set.
  if (returnPath === "sender" || from === "") return from;
  return returnPath === "verp" ? envelopeSender(runtime, claimed, message, returnPathDomain) : returnPath;
}

const noTls = "the sender's domain requires TLS, which no mail server for the mail supports";

/** Whether an e-mail of the route may go through servers of its workspace. */
const mayChoose = (route: string): boolean => isServersRoute(route) || isCampaignRoute(route);

/**
 * Returns the result of an e-mail that may go through its workspace's own servers alone, and for which there is none.
 * It is not held, as what else is on its route may have other servers. Throws `DomainNotVerified` if it was accepted
 * for other servers.
 */
function withoutOwnServer({ message, ownServers }: Composed): HandedOver {
  if (ownServers === "refused") throw new DomainNotVerified(domainOf(message.from.address));
  return { result: deferAll(message, noOwnServer), server: undefined, handovers: [] };
}

const noOwnServer =
  "the workspace is not trusted, and no mail server of its own that it logs in to takes this e-mail";

const noServer = "no mail server of the workspace accepts mail from this sender";
