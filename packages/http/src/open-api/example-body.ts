import type { Route } from "../contract/route.ts";
import { exampleOf } from "./examples.ts";
import { sampleBodies } from "./sample-bodies.ts";
import type { JsonSchema } from "./schemas.ts";

/** Optional fields that most callers give. */
const telling = new Set(["template_data", "html", "text"]);

/**
 * Returns a request's body as most callers send it, as readers copy it: the required fields, those in `telling` and
 * those of the route's sample; if there are none, the first two. The schema describes all others.
 */
export function exampleBody(
  { signature }: Pick<Route, "signature">,
  schema: JsonSchema,
  components: ReadonlyMap<string, JsonSchema>,
): object {
  const sample = sampleBodies[signature] ?? {};
  const fields = Object.entries({ ...Object(exampleOf(schema, components)), ...sample } as object);
  const needed = fields.filter(
    ([name]) => schema.required?.includes(name) || telling.has(name) || Object.hasOwn(sample, name),
  );
  return Object.fromEntries(needed.length > 0 ? needed : fields.slice(0, 2));
}
