import { createOpenApi, type Route, routes } from "@posthorn/http";

const document = createOpenApi(routes);

/** The document's example of a route's body; `undefined` where it takes none. */
export function exampleBody(route: Route): Record<string, unknown> | undefined {
  const operation = document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()];
  return operation?.requestBody?.content["application/json"]?.example as Record<string, unknown> | undefined;
}
