import { createOpenApi, type Route, routes } from "@posthorn/http";

const document = createOpenApi(routes);

/** Returns the document's example of a route's body; `undefined` without a body. */
export function exampleBody(route: Route): Record<string, unknown> | undefined {
  const operation = document.paths[`/api/v1${route.path}`]?.[route.method.toLowerCase()];
  return operation?.requestBody?.content["application/json"]?.example as Record<string, unknown> | undefined;
}
