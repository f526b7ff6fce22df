import type { Item } from "@posthorn/client";
import { administeredUserWire } from "@posthorn/http/wire";
import { allPages } from "../connection/all-pages.ts";
import type { CommandContext } from "../connection/command-context.ts";
import { operatorCall } from "../connection/operator-call.ts";
import { CliError } from "../errors/cli-error.ts";
import { unknownUserHint } from "../errors/to-cli-error.ts";

export type User = Item<"GET /admin/users">;

/** Finds a user by id or e-mail address. Throws `not_found`, and a usage error for anything else. */
export async function findUser(
  context: Pick<CommandContext, "api" | "posthorn">,
  named: string,
): Promise<User> {
  const isNumber = /^\d{1,15}$/.test(named);
  if (!isNumber && !named.includes("@"))
    throw new CliError(
      "usage",
      `"${named}" is neither a user's number nor an e-mail address.`,
      "Try: posthorn users list",
    );
  const api = await context.api();
  if (isNumber) return await api.request("GET /admin/users/{userId}", { userId: named });
  if (api.kind === "database") {
    const { users } = await context.posthorn();
    return administeredUserWire.from(await users.getByEmail({ email: named }, operatorCall()));
  }
  const wanted = named.toLowerCase();
  // The filter also finds longer addresses that end with it.
  for await (const page of allPages((page) => api.request("GET /admin/users", { ...page, q: named }))) {
    const found = page.find(({ email }) => email.toLowerCase() === wanted);
    if (found !== undefined) return found;
  }
  throw new CliError("not_found", `There is no user ${named}.`, unknownUserHint);
}
