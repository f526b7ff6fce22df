import { expect, test } from "vitest";
import { listedFields } from "./listed-fields.ts";
import { routes } from "./routes/index.ts";

test("each list's items have fields, and nothing else has any", () => {
  const paged = routes.filter(({ envelope }) => envelope === "page").map(({ signature }) => signature);
  expect(paged.length).toBeGreaterThan(15);
  expect(paged.filter((signature) => listedFields(signature).length < 2)).toEqual([]);
  expect(listedFields("GET /admin/plans")).toContain("max_domains");
  expect(listedFields("GET /users/me")).toEqual([]);
  expect(listedFields("GET /nowhere")).toEqual([]);
});
