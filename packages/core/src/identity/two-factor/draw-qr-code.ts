import { z } from "zod";
import { useCase } from "../../calls/use-case.ts";
import { ServiceError } from "../../errors.ts";
import { qrSvg } from "../rules/qr-code.ts";
import { userOrThrow } from "../users/user-or-throw.ts";
import { authenticatorUrl, openTotpSecret, pendingSecretOf } from "./totp-secret.ts";

/**
 * Draws the pending set-up as a QR code, an SVG document. Once two-factor login is enabled, the secret is never shown
 * again.
 */
export const drawQrCode = useCase({
  access: "user",
  refusals: ["two_factor_already_enabled", "two_factor_not_set_up"],
  reads: true,
  input: z.strictObject({}),
  async run({ storage, caller, now, runtime }): Promise<string> {
    const user = await userOrThrow(storage.users.find(caller.userId), caller.userId);
    const secret = openTotpSecret(runtime, user.id, pendingSecretOf(user, now));
    if (secret === undefined) throw new ServiceError("two_factor_not_set_up");
    return qrSvg(authenticatorUrl(user, secret));
  },
});
