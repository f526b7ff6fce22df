import { ServiceError, useCase } from "@posthorn/core";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { createOpenApi, route, routes, wire } from "../src/index.ts";
import { startServer } from "./start-server.ts";

/** A use case of a host: counts the templates of a workspace that begin with a prefix. */
const countTemplates = useCase({
  access: "templates:read",
  reads: true,
  input: z.strictObject({ namePrefix: z.string().min(1).describe("What the names begin with.") }),
  async run({ storage, workspace }, { namePrefix }): Promise<{ matching: number }> {
    const { items } = await storage.templates.list(workspace.id, { offset: 0, limit: 100 });
    if (items.length === 0) throw new ServiceError("not_found", { message: "There are no templates." });
    return { matching: items.filter(({ name }) => name.startsWith(namePrefix)).length };
  },
});

const counting = route("GET /workspaces/current/shop/template-counts/{name_prefix}", countTemplates, {
  summary: "Count templates by the beginning of their names",
  reply: wire(z.object({ matching: z.int() }), ({ matching }: { matching: number }) => ({ matching })),
});

test("a host's own use case and route work beside the service's: credentials, roles, names, errors, reference", async () => {
  const all = [...routes, counting];
  const server = await startServer({ routes: all });
  onTestFinished(() => server.close());
  const { ask, logIn, world } = server;
  const { token, userId } = await logIn();
  const { id: workspace } = await world.posthorn.workspaces.createFor({ name: "Shop", userId });
  const count = (over = {}) =>
    ask("GET /workspaces/current/shop/template-counts/news", { token, workspace, ...over });
  expect((await count()).body.error).toMatchObject({ code: "not_found", message: "There are no templates." });
  for (const name of ["news-1", "news-2", "other"])
    await world.posthorn.templates.create({ name, subject: "s", text: "t" }, { workspaceId: workspace });
  expect((await count()).body).toMatchObject({ success: true, data: { matching: 2 } });
  expect((await count({ token: undefined })).status).toBe(401);
  const stranger = await logIn();
  expect((await count({ token: stranger.token })).body.error?.code).toBe("not_a_member");
  expect((await ask("GET /workspaces/current", { token, workspace })).status).toBe(200);

  const inProcess = await world.posthorn.execute(
    countTemplates,
    { namePrefix: "o" },
    { caller: { kind: "operator", name: "host" }, client: { ip: "", userAgent: "" }, workspaceId: workspace },
  );
  expect(inProcess).toEqual({ matching: 1 });
  const document = createOpenApi(all);
  expect(Object.keys(document.paths)).toContain(
    "/api/v1/workspaces/current/shop/template-counts/{name_prefix}",
  );
});
