import { eventWire } from "../contract/wire/events.ts";
import type { Operation } from "./document.ts";
import { hostLoginRefusals, refusalsFor, type SharedAnswers } from "./refusals.ts";
import { type JsonSchema, replySchema } from "./schemas.ts";

/** The event stream, which is not in the route table. */
export function streamOperation(
  components: { schemas: Map<string, JsonSchema>; answers: SharedAnswers },
  { hostLogin = false }: { hostLogin?: boolean },
): Operation {
  replySchema(eventWire.schema, components.schemas);
  return {
    operationId: "events.follow",
    summary: "Follow the platform's events (Server-Sent Events)",
    description:
      "Stays open, and sends each event as it happens. Whoever comes again with the last id that they have gets what they missed. If retention has removed some of that, a message of the type `gap` comes first.",
    tags: ["admin"],
    security: [{ jwt: [] }, { stream_token: [] }],
    parameters: [
      inQuery("category", "Only events of this category.", { type: "string" }),
      inQuery("type", "Only events of this type, such as user.login.", { type: "string" }),
      inQuery("workspace_id", "Only events of this workspace.", { type: "integer" }),
      inQuery("since", "Only events at or after this time, ISO 8601 with an offset.", {
        type: "string",
        format: "date-time",
      }),
      inQuery("wait", "Whether what happens later is told, too; false ends with the last that stands.", {
        type: "boolean",
        default: true,
      }),
      inQuery(
        "last_event_id",
        "The id of the last event that is known, to begin behind it; 0 for all. Browsers send it in the header `Last-Event-ID` when they connect again. Without it the stream begins at `since`, or with the next event.",
        {
          type: "integer",
        },
      ),
    ],
    responses: {
      "200": {
        description:
          "Each message's data is an Event as JSON, its id the event's. A message with `event: gap` says that events after the given id were removed: its data is `{\"removed_up_to\":<id>}`, the id of the last one removed.",
        content: { "text/event-stream": { schema: { type: "string" } } },
      },
      ...refusalsFor(
        [
          "validation_failed",
          "unauthenticated",
          "administrator_required",
          "rate_limited",
          "internal_error",
          "unavailable",
          ...(hostLogin ? hostLoginRefusals("GET") : []),
        ],
        components.answers,
      ),
    },
  };
}

const inQuery = (name: string, description: string, schema: JsonSchema) => ({
  name,
  in: "query" as const,
  required: false,
  description,
  schema,
});
