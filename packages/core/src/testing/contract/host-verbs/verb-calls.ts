import type { useCases } from "../../../use-cases.ts";
import type { Inside } from "./world.ts";

/** A call of each verb that is not refused, after what it needs within the same transaction. */
export type VerbCalls = {
  [A in keyof typeof useCases]: { [V in keyof (typeof useCases)[A]]: (at: Inside) => Promise<unknown> };
};
