import { z } from "zod";
import { atLeastOne } from "../../calls/input/at-least-one.ts";
import { personName } from "../../calls/input/name-field.ts";
import { useCase } from "../../calls/use-case.ts";
import { userOrThrow } from "./user-or-throw.ts";
import { type UserView, viewUser } from "./user-view.ts";

/** Changes the caller's name (decisions §2). */
export const updateMe = useCase({
  access: "user",
  input: z.strictObject({ name: personName.optional() }).apply(atLeastOne),
  async run({ storage, caller, emit }, { name }): Promise<UserView> {
    const before = await userOrThrow(storage.users.lock(caller.userId), caller.userId);
    if (name === undefined || name === before.name) return viewUser(before);
    const user = await userOrThrow(storage.users.update(before.id, { name }), before.id);
    emit("user.updated", { metadata: { changes: { name: { from: before.name, to: name } } } });
    return viewUser(user);
  },
});
