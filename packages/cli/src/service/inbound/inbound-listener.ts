import type { AddressInfo } from "node:net";
import type { Logger, Posthorn } from "@posthorn/core";
import type { SMTPServerAddress, SMTPServerOptions, SMTPServerSession } from "smtp-server";
import { guardInboundClients, mostOfOne } from "./guard-inbound-clients.ts";
import { limitSockets } from "./limit-sockets.ts";
import { readBeginning } from "./read-beginning.ts";
import { renewCertificate } from "./renew-certificate.ts";

/** A mail server that accepts only messages about our own mail. */
export interface InboundListener {
  port: number;
  close(): Promise<void>;
}

/** Options of the listener. */
export interface InboundListenerOptions {
  /** Name by which it introduces itself. */
  name: string;
  port: number;
  host: string;
  /** Reads the certificate with its chain and its key as one PEM text, now and once an hour. Without it there is no TLS. */
  certificate?: (() => string) | undefined;
  logger: Logger;
}

/** Largest message that a server should offer (RFC 1870): a returned e-mail of the largest size that providers take. */
const maxBytes = 64 * 1_048_576;
const maxRecipients = 100;
const maxClients = 100;
/** Ms in which a client hangs up that is told to, when the server stops. */
const goodbyeMs = 500;
/** The caller: who sent a message is not known, and the operator, as whom `serve` works, did not. */
const asPort = { as: { kind: "operator", name: "The inbound port" } } as const;
/** Parameters of MAIL that belong to what EHLO offers. */
const offeredParameters = ["SIZE", "BODY", "SMTPUTF8"];

/**
 * Listens for bounces and complaints (platform.md P7): accepts only our own return paths and `fbl@` their domain,
 * replies 250 once the report is stored, and never sends a mail in response to a mail. With a certificate it offers
 * STARTTLS: some servers send nothing in the clear.
 */
export async function listenForReports(
  posthorn: Pick<Posthorn, "inbound">,
  { name, port, host, certificate, logger }: InboundListenerOptions,
): Promise<InboundListener> {
  const { SMTPServer } = await import("smtp-server");
  const hangUp = (words: string, isMeant: (session: SMTPServerSession) => boolean): void => {
    for (const connection of server.connections) {
      if (!isMeant(connection.session)) continue;
      connection.send(421, words);
      connection.close();
    }
  };
  const clients = guardInboundClients((id) =>
    hangUp("4.4.2 this takes too long", (session) => session.id === id),
  );
  const pem = certificate?.();
  const options: SMTPServerOptions = {
    name,
    ...(pem !== undefined && { cert: pem, key: pem }),
    // The name alone: the library's own words greet the client like a person.
    heloResponse: "%s",
    authOptional: true,
    // The last three are the library's jokes: it takes any client that asks for a wizard.
    disabledCommands: ["AUTH", "WIZ", "SHELL", "KILL", ...(pem === undefined ? ["STARTTLS"] : [])],
    size: maxBytes,
    // Nobody replies to a sender, and devices have addresses such as `device.@mx.example`, or very long ones.
    lenientAddressParsing: true,
    // A client's name would be of no use, and looking it up delays the greeting by up to 1.5 s.
    disableReverseLookup: true,
    maxClients,
    socketTimeout: 60_000,
    closeTimeout: 5_000,
    onConnect(session, callback) {
      if (clients.admit(session)) return callback();
      callback(refusal(421, `${name} too many connections from your network`));
    },
    onClose: (session) => clients.leave(session),
    onMailFrom: (sender, _session, callback) => callback(refuseParameters(sender, offeredParameters)),
    onRcptTo(recipient, session, callback) {
      const refused = refuseParameters(recipient, []);
      if (refused !== undefined) return callback(refused);
      const { address } = recipient;
      if (session.envelope.rcptTo.length >= maxRecipients)
        return callback(refusal(452, "4.5.3 too many recipients"));
      const reply = inNextTurn(callback);
      isKnown(posthorn, address)
        .then((isOurs) => {
          if (isOurs) clients.expectMessage(session);
          reply(isOurs ? undefined : refusal(550, "5.1.1 no such address here"));
        })
        .catch(() => reply(refusal(451, "4.3.0 try again later")));
    },
    onData(stream, session, callback) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address);
      const reply = inNextTurn(callback);
      const store = async (message: string): Promise<void> => {
        await posthorn.inbound.receiveMessage({ message, recipients }, asPort);
        reply();
      };
      const fail = (error: unknown): void => {
        logger.error({ err: error }, "a returned message could not be stored");
        reply(refusal(451, "4.3.0 try again later"));
      };
      // A client that hangs up has no reply to get, and sends the message again.
      const breakOff = (error: unknown): void => {
        logger.debug({ err: error }, "a connection to the inbound port broke off");
        reply(refusal(451, "4.3.0 try again later"));
      };
      readBeginning(stream)
        .then((message) => store(message).catch(fail), breakOff)
        .finally(() => clients.expectEnvelope(session));
    },
  };
  const server = new SMTPServer(options);
  // As many again may be about to hang up, as they were refused.
  limitSockets(server.server, { ofOne: 2 * mostOfOne, ofAll: 2 * maxClients });
  // A broken connection affects no other.
  server.on("error", (error) => logger.debug({ err: error }, "a connection to the inbound port failed"));
  await new Promise<void>((resolve, reject) => {
    server.server.once("error", reject);
    server.listen(port, host, () => {
      server.server.off("error", reject);
      resolve();
    });
  });
  const endRenewal =
    certificate && renewCertificate(certificate, (options) => server.updateSecureContext(options), logger);
  return {
    port: (server.server.address() as AddressInfo).port,
    close() {
      endRenewal?.();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // The library waits as long for a client to hang up, but at most 5 s.
      server.options.socketTimeout = goodbyeMs;
      // The others have a message for us, and `closeTimeout` for it.
      hangUp("4.3.2 shutting down", ({ envelope }) => envelope.rcptTo.length === 0);
      return closed;
    },
  };
}

/** Characters of an address that the service takes, several times what one may have (RFC 5321, 4.5.3.1). */
const longestAddress = 998;

const isKnown = async ({ inbound }: Pick<Posthorn, "inbound">, address: string): Promise<boolean> =>
  address.length <= longestAddress && (await inbound.knowsAddress({ address }, asPort));

/**
 * Replies in a later turn of the event loop. Otherwise a client's next command, sent ahead, would be heard in the same
 * one: they would be read without end, and everything else in the process would wait for seconds.
 */
const inNextTurn =
  (callback: (error?: Error) => void) =>
  (error?: Error): void =>
    void setImmediate(callback, error);

const refusal = (responseCode: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode });

/** A parameter that was not offered asks for what nobody here would do (RFC 5321, 4.1.1.11). */
function refuseParameters({ args }: SMTPServerAddress, offered: readonly string[]): Error | undefined {
  const isKnown = Object.keys(args === false ? {} : args).every((name) => offered.includes(name));
  return isKnown ? undefined : refusal(555, "5.5.4 parameter not recognised");
}
