import { snakeCase } from "@posthorn/core/internal";
import type { Route } from "../contract/route.ts";
import { fileFields, takesBody, takesFile } from "../contract/signature.ts";
import type { Parameter } from "./document.ts";
import { inputSchema, type JsonSchema } from "./schemas.ts";

/** Fields of the input that come neither in the path nor in a header. */
export function withoutParameters(route: Route, input: JsonSchema): JsonSchema {
  const taken = new Set(Object.values(route.params).map(snakeCase));
  if (route.idempotent) taken.add("idempotency_key");
  if (takesFile(route.signature)) for (const name of fileFields) taken.add(name);
  const properties = Object.entries(input.properties ?? {}).filter(([name]) => !taken.has(name));
  const required = (input.required ?? []).filter((name) => !taken.has(name));
  const { required: _, ...rest } = input;
  return {
    ...rest,
    properties: Object.fromEntries(properties),
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Path, query and header parameters of an operation. */
export function parametersOf(route: Route, input: JsonSchema): Parameter[] {
  const inPath = Object.entries(route.params).map(
    ([name, key]): Parameter => ({
      name,
      in: "path",
      required: true,
      schema: input.properties?.[snakeCase(key)] ?? {},
    }),
  );
  const open = withoutParameters(route, input);
  const inQuery = takesBody(route.signature)
    ? []
    : Object.entries(open.properties ?? {}).map(
        ([name, schema]): Parameter => ({
          name,
          in: "query",
          required: open.required?.includes(name) === true && schema.default === undefined,
          // One parameter per entry, such as `metadata[order]=7`.
          ...(schema.additionalProperties === undefined ? {} : { style: "deepObject", explode: true }),
          schema: name === "page" && route.pagesFrom === 1 ? { ...schema, ...fromOne } : schema,
        }),
      );
  const inHeader: Parameter[] = route.idempotent
    ? [
        {
          name: "Idempotency-Key",
          in: "header",
          required: false,
          description: "The same key and body get the first answer again, for 24 hours.",
          schema: withoutWords(input.properties?.idempotency_key ?? {}),
        },
      ]
    : [];
  return [...inPath, ...inQuery, ...besideFile(route), ...dryRunOf(route), ...inHeader];
}

/** Fields that only a body which is a list in a file has beside it. */
function besideFile({ listFile, params }: Route): Parameter[] {
  if (listFile === undefined) return [];
  const others = new Set([...fileFields, ...Object.values(params).map(snakeCase)]);
  return Object.entries(inputSchema(listFile.input).properties ?? {})
    .filter(([name]) => !others.has(name))
    .map(([name, schema]) => ({
      name,
      in: "query",
      required: false,
      description: `Beside a file only. ${schema.description}`,
      schema,
    }));
}

/** Description of a page number that is counted from 1. */
const fromOne: JsonSchema = {
  default: 1,
  description: "Which page, counted from 1; 0 answers the first, too. Default 1.",
};

const dryRunOf = ({ dryRun }: Route): Parameter[] =>
  dryRun === undefined
    ? []
    : [
        {
          name: "dry_run",
          in: "query",
          required: false,
          description:
            "Whether to tell only what would come of it, with everything that stands against it: answered with 200, and nothing is kept.",
          schema: { type: "boolean", default: false },
        },
      ];

const withoutWords = ({ description: _, ...schema }: JsonSchema): JsonSchema => schema;
