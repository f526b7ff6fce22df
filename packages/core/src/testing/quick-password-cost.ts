import type { PasswordCost } from "../identity/adapters/password-hasher.ts";

/** The cost of password hashes in tests, a thousandth of the service's. */
export const quickPasswordCost: PasswordCost = { memoryCost: 64, timeCost: 1 };
