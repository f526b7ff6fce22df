import { z } from "zod";
import { everyRoute } from "../../ports/storage.ts";

/** A route by its name, such as `w:7`, or `s:7:` of mail that no server may carry; by default all routes. */
export const routeField = z
  .string()
  .max(400)
  .regex(
    /^(?:\*|service|[a-z]:\d+(?::(?:\d+(?:-\d+)*)?)?)$/,
    "is not the name of a route, such as w:7 or service",
  )
  .default(everyRoute)
  .describe("The route's name, such as `w:7` for workspace 7. Default `*`, for all routes.");
