import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { announceChange } from "../two-factor/announce-change.ts";
import { userId } from "./user-fields.ts";
import { userOrThrow } from "./user-or-throw.ts";

/**
 * Disables a user's two-factor login and revokes the user's sessions. For administrators (service.md, Two-factor
 * authentication).
 */
export const resetTwoFactor = useCase({
  access: "administrator",
  refusals: ["two_factor_not_set_up"],
  input: z.strictObject({ userId }),
  locks: ({ userId }) => ({ userId }),
  async run(context, { userId: id }): Promise<void> {
    const { storage, caller, emit } = context;
    const user = await userOrThrow(storage.users.lock(id), id);
    if (!(await storage.users.disableTotp(id))) throw new ServiceError("two_factor_not_set_up");
    const own = caller.kind === "user" && caller.userId === id;
    await announceChange(context, user, {
      state: "disabled",
      exceptSessionId: own ? caller.sessionId : undefined,
    });
    emit("user.2fa_disabled", { userId: id, metadata: { by_administrator: true } });
  },
});
