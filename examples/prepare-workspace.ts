import type { Posthorn } from "@posthorn/core";

/** Data for the examples: a workspace with an owner, a template and an API key. */
export interface PreparedWorkspace {
  workspaceId: number;
  /** The API key, shown only once: the database stores only its digest. */
  apiKey: string;
}

/** Creates what an operator would create with `posthorn users create`, `workspaces create`, `templates push` and `api-keys create`. */
export async function prepareWorkspace(posthorn: Posthorn): Promise<PreparedWorkspace> {
  const owner = await posthorn.users.create({
    name: "Grace Hopper",
    email: "grace@shop.example",
    password: "compilers speak English",
  });
  const { id: workspaceId } = await posthorn.workspaces.createFor({ name: "Shop", userId: owner.id });
  await posthorn.templates.create(
    {
      name: "welcome",
      subject: "Welcome, {{name}}!",
      html: "<h1>Welcome, {{name}}!</h1><p>It is good to have you here.</p>",
    },
    { workspaceId },
  );
  const { key } = await posthorn.apiKeys.create({ name: "example" }, { workspaceId });
  return { workspaceId, apiKey: key };
}
