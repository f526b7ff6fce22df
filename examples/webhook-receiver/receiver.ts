import { createServer, type IncomingMessage, type Server } from "node:http";
import { buffer } from "node:stream/consumers";
import { verifyWebhook } from "@posthorn/core";

/** Body of a delivery about an e-mail. */
export interface EmailEvent {
  event: string;
  email_id: string;
  timestamp: string;
}

export interface ReceiverOptions {
  /** Signing secret `whsec_…`, from the response to the webhook's creation. */
  secret: string;
  /** Called once for each event, however often it is delivered; again if it throws. */
  onEvent(event: EmailEvent): void;
}

/**
 * Receives Posthorn's webhooks. Refuses deliveries without a valid signature or older than five minutes, and ignores
 * repeated ones. The headers follow Standard Webhooks, so that its libraries in other languages also verify them.
 */
export function createReceiver({ secret, onEvent }: ReceiverOptions): Server {
  // A real receiver stores them in its database, for a day.
  const seen = new Set<string>();
  const receive = async (request: IncomingMessage): Promise<204 | 401> => {
    // The raw bytes: a body that was parsed and serialised again has another signature.
    const body = await buffer(request);
    if (!verifyWebhook({ secret, headers: request.headers, body })) return 401;
    // A delivery may arrive more than once, always with the same id.
    const id = String(request.headers["webhook-id"]);
    if (!seen.has(id)) {
      onEvent(JSON.parse(body.toString()) as EmailEvent);
      seen.add(id);
    }
    // Any 2xx acknowledges the delivery. Respond soon, and do slow work afterwards.
    return 204;
  };
  return createServer((request, response) => {
    receive(request).then(
      (status) => response.writeHead(status).end(),
      // The sender hung up, or the event could not be handled: the delivery comes again.
      (error) => {
        console.error(error);
        response.writeHead(500).end();
      },
    );
  });
}

if (import.meta.main) {
  const secret = process.env["WEBHOOK_SECRET"];
  if (secret === undefined) throw new Error("WEBHOOK_SECRET is not set");
  createReceiver({
    secret,
    onEvent: ({ event, email_id }) => console.log(event, email_id),
  }).listen(3001, "127.0.0.1");
}
