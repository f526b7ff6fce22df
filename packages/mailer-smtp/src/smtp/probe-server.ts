import { TLSSocket } from "node:tls";
import type { ProbeStep, ProbeStepName, ServerProbe } from "@posthorn/core";
import { oneLine } from "@posthorn/core/internal";
import { isPublicAddress, LookupFault } from "@posthorn/core/network";
import { isInternational } from "../compose/is-international.ts";
import { createSecretRemover } from "./connection/create-secret-remover.ts";
import {
  ask,
  openConnection,
  quit,
  type SessionWatch,
  type SmtpConnection,
} from "./connection/open-connection.ts";
import { SmtpFault } from "./connection/smtp-fault.ts";
import { utf8Parameters } from "./conversation/envelope-commands.ts";
import { sizeLimit } from "./conversation/size-limit.ts";
import { replyOf } from "./conversation/step-log.ts";
import type { ServerSettings, SmtpTimeouts } from "./settings/server-settings.ts";

/** Ms for all steps together. */
const patience = 25_000;

/**
 * Tests a server step by step, up to MAIL FROM if a sender is given, without sending mail. Faults are returned, not
 * thrown.
 */
export async function probeServer(
  server: ServerSettings,
  { from, needsLogin = false }: { from?: string | undefined; needsLogin?: boolean | undefined } = {},
): Promise<ServerProbe> {
  const steps = createSteps(server);
  const timeouts = timeoutsWithin(patience);
  const offers: Offers = { extensions: new Map() };
  let connection: SmtpConnection | undefined;
  try {
    await steps.take("resolve", () => resolve(server));
    connection = await openConnection(server, timeouts, listenTo(steps, offers, needsLogin));
    if (from !== undefined) await askSender(steps, connection, from, timeouts);
  } catch (error) {
    if (!(error instanceof SmtpFault)) throw error;
  } finally {
    if (connection !== undefined) quit(connection);
  }
  return { ok: steps.isOk(), steps: steps.all, ...viewOffers(offers) };
}

interface Steps {
  all: ProbeStep[];
  isOk(): boolean;
  /** The step `ehlo` counts towards the step before it. */
  take<T>(step: ProbeStepName | "ehlo", work: () => Promise<T>): Promise<T>;
}

/** Records the duration of each step, the server's replies, and where the test ended. */
function createSteps(server: ServerSettings): Steps {
  const all: ProbeStep[] = [];
  const remove = createSecretRemover(server);
  const clean = (text: string): string => remove(oneLine(text));
  const noteOf = (value: unknown): Pick<ProbeStep, "code" | "reply"> => {
    const reply = replyOf(value);
    return reply === undefined ? {} : { code: reply.code, reply: clean(reply.text) };
  };
  const warningOf = (step: ProbeStepName | "ehlo", value: unknown): Pick<ProbeStep, "warning"> =>
    step === "auth" && value === undefined
      ? { warning: "the server offers no login, so e-mails are sent without" }
      : {};
  const note = (step: ProbeStepName | "ehlo", about: Omit<ProbeStep, "step">): void => {
    if (step !== "ehlo") all.push({ step, ...about });
    const before = all.at(-1);
    if (step === "ehlo" && before !== undefined) Object.assign(before, about, { ms: before.ms + about.ms });
  };
  return {
    all,
    isOk: () => all.every(({ error }) => error === undefined),
    async take(step, work) {
      const begun = performance.now();
      const ms = (): number => Math.round(performance.now() - begun);
      try {
        const value = await work();
        note(step, { ms: ms(), ...noteOf(value), ...warningOf(step, value) });
        return value;
      } catch (error) {
        if (!(error instanceof SmtpFault)) throw error;
        note(step, { ms: ms(), ...noteOf(error), error: clean(error.message) });
        throw error;
      }
    },
  };
}

/** Limits each step to what is left of the total time. */
function timeoutsWithin(ms: number): SmtpTimeouts {
  const end = performance.now() + ms;
  const atMost = (longest: number): number =>
    Math.max(1, Math.min(longest, Math.ceil(end - performance.now())));
  return {
    get connect() {
      return atMost(5_000);
    },
    get greeting() {
      return atMost(10_000);
    },
    get command() {
      return atMost(10_000);
    },
    get dot() {
      return atMost(10_000);
    },
    get conversation() {
      return atMost(ms);
    },
  };
}

async function resolve({ host, resolver, publicOnly }: ServerSettings): Promise<void> {
  try {
    const addresses = await resolver.resolve(host);
    if (publicOnly && !addresses.every(({ address }) => isPublicAddress(address)))
      throw new LookupFault(host, "blocked");
  } catch (error) {
    throw new SmtpFault(
      "network",
      error instanceof LookupFault ? error.message : `${host} could not be looked up`,
    );
  }
}

async function askSender(
  steps: Steps,
  { channel, extensions }: SmtpConnection,
  from: string,
  timeouts: SmtpTimeouts,
): Promise<void> {
  await steps.take("mail_from", async () => {
    const needsUtf8 = isInternational(from);
    if (needsUtf8 && !extensions.has("SMTPUTF8"))
      throw new SmtpFault("settings", "the server accepts no addresses beyond ASCII");
    const command = `MAIL FROM:<${from}>${needsUtf8 ? utf8Parameters : ""}`;
    const reply = await ask(channel, command, timeouts.command);
    if (reply.code !== 250) throw new SmtpFault("settings", "the server refuses the sender", reply);
    return reply;
  });
  // Politeness: the server has already answered what was asked, and QUIT ends its transaction as well.
  await ask(channel, "RSET", timeouts.command).catch(() => undefined);
}

/** What the server offered last, whether or not a later step failed. */
interface Offers {
  extensions: SmtpConnection["extensions"];
  tls?: NonNullable<ServerProbe["tls"]>;
}

/** Notes what the server offers as soon as it is known: whoever looks for the cause of a refused login wants to see it. */
function listenTo(steps: Steps, offers: Offers, needsLogin: boolean): SessionWatch {
  return {
    async take<T>(step: Parameters<SessionWatch["take"]>[0], work: () => Promise<T>): Promise<T> {
      const value: unknown = await steps.take(
        step,
        step === "auth" && needsLogin ? () => loggedIn(work) : work,
      );
      if (value instanceof Map) offers.extensions = value;
      // A socket with TLS from the start, or the channel after STARTTLS.
      const socket = typeof value === "object" && value !== null && "socket" in value ? value.socket : value;
      if (socket instanceof TLSSocket) offers.tls = tlsOf(socket);
      return value as T;
    },
  };
}

/** Where nothing is sent without a login, one that is not offered ends the test, as it does a delivery. */
async function loggedIn<T>(logIn: () => Promise<T>): Promise<T> {
  const reply = await logIn();
  if (reply === undefined) throw new SmtpFault("settings", "the server offers no login");
  return reply;
}

function viewOffers({ extensions, tls }: Offers): Pick<ServerProbe, "tls" | "extensions" | "maxSize"> {
  const size = sizeLimit(extensions);
  return {
    ...(tls === undefined ? {} : { tls }),
    extensions: [...extensions]
      .map(([keyword, parameters]) => oneLine(`${keyword} ${parameters}`))
      .slice(0, 50),
    maxSize: Number.isSafeInteger(size) ? size : undefined,
  };
}

function tlsOf(socket: TLSSocket): NonNullable<ServerProbe["tls"]> {
  const certificate = socket.getPeerCertificate();
  const { O: organisation, CN: name } = certificate.issuer ?? {};
  const validTo = Date.parse(certificate.valid_to ?? "");
  return {
    protocol: socket.getProtocol() ?? "",
    cipher: socket.getCipher().name,
    authorized: socket.authorized,
    issuer: oneLine([name, organisation].flat().filter(Boolean).join(", ")),
    validTo: Number.isNaN(validTo) ? undefined : validTo,
  };
}
