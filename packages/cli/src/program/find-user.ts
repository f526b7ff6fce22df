import type { Item } from "@posthorn/client";
import { administeredUserWire } from "@posthorn/http/wire";
import { CliError } from "./cli-error.ts";
import type { CommandContext } from "./command-context.ts";
import { listItems } from "./find-listed.ts";
import { operatorCall } from "./operator-call.ts";
import { users } from "./things.ts";

export type User = Item<"GET /admin/users">;

/** The user with an id or an e-mail address. Throws `not_found`, and a usage error for what is neither. */
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
  if (api.kind === "database") {
    const { users: verbs } = await context.posthorn();
    return administeredUserWire.from(
      isNumber
        ? await verbs.get({ userId: Number(named) }, operatorCall())
        : await verbs.getByEmail({ email: named }, operatorCall()),
    );
  }
  const wanted = named.toLowerCase();
  const found = isNumber
    ? (await listItems(users, api)).find(({ id }) => String(id) === named)
    : (await api.request("GET /admin/users", { q: named, size: 100 })).data.find(
        ({ email }) => email.toLowerCase() === wanted,
      );
  if (found === undefined)
    throw new CliError("not_found", `There is no user ${named}.`, "Try: posthorn users list");
  return found;
}
