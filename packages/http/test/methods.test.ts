import { routes } from "@posthorn/http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openTestSqlite } from "../../storage-sqlite/test/open-test-sqlite.ts";
import { refusal } from "./harness.ts";
import { startServer, type TestServer } from "./start-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startServer({}, () => openTestSqlite());
});
afterAll(() => server.close());

const paths = new Set<string>(routes.map(({ path }) => path));

// decisions §1: a known path, another method
test.each([...paths])("%s answers other methods with 405 and Allow", async (path) => {
  const target = path.replace(/\{\w+\}/g, "7");
  // A fixed path stands for itself, whatever path with parameters it fits.
  const fits = (other: string) =>
    target === path ? other === path : new RegExp(`^${other.replace(/\{\w+\}/g, "[^/]+")}$`).test(target);
  const known = new Set<string>(routes.filter((route) => fits(route.path)).map(({ method }) => method));
  if (known.has("GET")) known.add("HEAD");
  known.add("OPTIONS");
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"].filter((each) => !known.has(each))) {
    const answer = await server.ask(`${method} ${target}`);
    expect([method, ...refusal(answer)]).toEqual([method, 405, "method_not_allowed"]);
    expect(new Set(answer.headers.get("allow")?.split(", "))).toEqual(known);
  }
  const options = await server.ask(`OPTIONS ${target}`);
  expect([options.status, new Set(options.headers.get("allow")?.split(", "))]).toEqual([204, known]);
});

test("an unknown path is a 404 for every method", async () => {
  for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE"])
    for (const path of ["/nothing", "/workspaces/current/nothing", "/users", "/admin"]) {
      expect(refusal(await server.ask(`${method} ${path}`))).toEqual([404, "not_found"]);
    }
});
