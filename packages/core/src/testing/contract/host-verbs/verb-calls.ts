import type { useCases } from "../../../use-cases.ts";
import type { Inside } from "./world.ts";

/** For each verb a call that succeeds, after the calls that it needs within the same transaction. */
export type VerbCalls = {
  [A in keyof typeof useCases]: { [V in keyof (typeof useCases)[A]]: (at: Inside) => Promise<unknown> };
};
