import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook } from "@posthorn/core";

/** What a delivery of an e-mail's event says. */
export interface EmailEvent {
  event: string;
  email_id: string;
  timestamp: string;
}

export interface ReceiverOptions {
  /** `whsec_…`, from the answer that made the webhook. */
  secret: string;
  /** Hears of each event once, however often it is delivered. */
  onEvent(event: EmailEvent): void;
}

/**
 * Receives Posthorn's webhooks. Takes nothing that isn't signed with the secret, is older than five minutes, or came before.
 * Not on Posthorn? The headers follow Standard Webhooks, so that its libraries verify them in other languages too.
 */
export function createReceiver({ secret, onEvent }: ReceiverOptions): Server {
  // A real receiver keeps them in its database, for a day.
  const seen = new Set<string>();
  return createServer(async (request, response) => {
    // The raw bytes: a body that was parsed and written again has another signature.
    const body = await buffer(request);
    if (!verifyWebhook({ secret, headers: request.headers, body, now: Date.now() })) {
      response.writeHead(401).end();
      return;
    }
    // A delivery may come more than once, always with the same id.
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) {
      seen.add(id);
      onEvent(JSON.parse(body.toString()) as EmailEvent);
    }
    // Any 2xx says: got it. Answer soon, and do slow work afterwards.
    response.writeHead(204).end();
  });
}

if (import.meta.main) {
  createReceiver({
    secret: process.env["WEBHOOK_SECRET"] ?? "",
    onEvent: ({ event, email_id }) => console.log(event, email_id),
  }).listen(3001, "127.0.0.1");
}
