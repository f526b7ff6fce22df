import type { InboundProvider } from "../src/ports/storage.ts";
import { workspace, world } from "./world-for-each.ts";

export async function deliver(to = ["ada@example.com"]): Promise<string> {
  const { id } = await world.posthorn.emails.send(
    { subject: "Hi", text: "Hello", to },
    { workspaceId: workspace.id },
  );
  await world.posthorn.drain();
  return id;
}

export async function makeEndpoint(provider: InboundProvider, secret?: string) {
  const made = await world.posthorn.inboundEndpoints.create(
    { provider, ...(secret === undefined ? {} : { secret }) },
    workspace.asOwner,
  );
  return { ...made, token: made.url.split("/").at(-1) ?? "" };
}

interface Call {
  provider: InboundProvider;
  token: string;
  body: unknown;
  headers?: Record<string, string>;
}

export const receive = ({ body, headers = {}, ...rest }: Call) =>
  world.posthorn.inbound.receive(
    {
      ...rest,
      headers,
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)).toString("latin1"),
    },
    { as: { kind: "anonymous" } },
  );

/** Returns the types of the events after sending, with their reasons. */
export async function happened(): Promise<unknown[]> {
  const { events } = await world.storage.events.listAfter(0, { workspaceId: "all", category: "email" }, 500);
  return events
    .filter(({ type }) => !["email.queued", "email.sent"].includes(type))
    .map(({ type, metadata }) => {
      const { email_id: id, recipient, category, source } = JSON.parse(metadata);
      return [type, id, recipient, category, source].filter((one) => one !== undefined);
    });
}

export const bounced = (id: string, category = "invalid_recipient") => [
  "email.bounced",
  id,
  "ada@example.com",
  category,
  "provider",
];
