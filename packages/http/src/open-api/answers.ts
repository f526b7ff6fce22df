import { z } from "zod";
import type { Route } from "../contract/route.ts";
import type { Answer } from "./document.ts";
import { exampleOf } from "./examples.ts";
import { fileContent } from "./file-content.ts";
import type { SharedAnswers } from "./refusals.ts";
import { type JsonSchema, replySchema } from "./schemas.ts";

/** Components that the document's operations refer to. */
export interface Components {
  schemas: Map<string, JsonSchema>;
  answers: SharedAnswers;
}

/** Returns a route's success responses, by status. */
export function answersOf(route: Route, components: Components): Record<string, Answer> {
  const { status, otherwise, dryRun, reply } = route;
  const told: { status: number; words: string; reply: Route["reply"] }[] = [
    { status, words: statusWords[status] ?? "OK", reply },
    ...(otherwise === undefined
      ? []
      : [{ status: otherwise.status, words: otherwise.words ?? "It was there already", reply }]),
    ...(dryRun === undefined ? [] : [{ status: 200, words: dryRunWords, reply: dryRun.reply }]),
  ];
  const byStatus = Map.groupBy(told, (one) => one.status);
  return Object.fromEntries(
    [...byStatus].map(([each, those]) => {
      const description = those.map(({ words }) => words).join(". Or: ");
      const replies = those.map((one) => one.reply);
      const headers = headersOf(route, Number(each));
      return [each, { ...answerOf(route, description, replies, components), ...(headers && { headers }) }];
    }),
  );
}

const disposition = {
  description: "`attachment`, with the file's name (RFC 6266).",
  schema: { type: "string" },
};

/** Returns the header fields of a response that tell of a repetition, or a file's name. */
function headersOf({ status, otherwise, idempotent, envelope }: Route, ofStatus: number): Answer["headers"] {
  if (envelope === "file") return { "Content-Disposition": disposition };
  const one = (name: string, description: string) => ({
    [name]: { description, schema: { type: "string", const: "true" } },
  });
  if (idempotent && ofStatus === status)
    return one(
      "Idempotent-Replayed",
      "This is the first answer to the same `Idempotency-Key`, and nothing was sent.",
    );
  if (otherwise?.headers === undefined || ofStatus !== otherwise.status) return undefined;
  const words = otherwise.words ?? "It was there already";
  return Object.assign({}, ...Object.keys(otherwise.headers).map((name) => one(headerName(name), words)));
}

/** The name of a header field in its usual capitals. */
const headerName = (name: string): string => name.replace(/(^|-)[a-z]/g, (start) => start.toUpperCase());

const statusWords: Record<number, string> = {
  201: "Created",
  202: "Accepted: it is kept, and done after the answer",
  204: "Done; there is no body",
};

const dryRunWords = "With `dry_run=true`, what would come of it; nothing is kept";

function answerOf(
  route: Route,
  description: string,
  replies: Route["reply"][],
  components: Components,
): Answer {
  const { envelope, secondFormat } = route;
  if (envelope === "none") return { description };
  if (envelope === "file") return { description, content: fileContent(secondFormat) };
  const schema = schemaOf(route, replies, components);
  const example = exampleOf(schema, components.schemas);
  return { description, content: { "application/json": { schema, example } } };
}

/** Returns the schema of an answer's body; several forms differ in `data` alone, so that clients have one envelope. */
function schemaOf(
  { envelope, useCase }: Route,
  replies: Route["reply"][],
  { schemas }: Components,
): JsonSchema {
  const forms = replies.map((reply) => replySchema(reply.schema, schemas));
  const [only = {}] = forms;
  const inner: JsonSchema = forms.length === 1 ? only : { anyOf: forms };
  const data = envelope === "page" ? { type: "array", items: inner } : inner;
  const properties: Record<string, JsonSchema> = {
    ...(envelope === "data" ? {} : { success: { type: "boolean", const: true } }),
    data,
    ...(envelope === "page" ? { pagination: paginationOf(useCase, schemas) } : {}),
  };
  return { type: "object", properties, required: Object.keys(properties) };
}

const afterWords = "Asks for what follows, as `after` in place of `page`; null where nothing does.";

/** Whether the pages have a cursor; those of a host's own route may not. */
const hasCursor = ({ input }: Route["useCase"]): boolean =>
  input instanceof z.ZodObject && "after" in input.shape;

/** Schema of a page's place in its list. Lists with a cursor share one, so that clients have one type of it. */
function paginationOf(useCase: Route["useCase"], schemas: Map<string, JsonSchema>): JsonSchema {
  if (!hasCursor(useCase)) return makePagination(false);
  if (!schemas.has("Pagination")) schemas.set("Pagination", makePagination(true));
  return { $ref: "#/components/schemas/Pagination" };
}

function makePagination(isWalked: boolean): JsonSchema {
  const count = (): JsonSchema => ({ type: "integer", minimum: 0 });
  return {
    type: "object",
    properties: {
      page: count(),
      size: { type: "integer", minimum: 1, maximum: 100 },
      total: count(),
      total_pages: count(),
      ...(isWalked ? { after: { type: ["string", "null"], description: afterWords } } : {}),
    },
    required: ["page", "size", "total", "total_pages", ...(isWalked ? ["after"] : [])],
  };
}
