import { z } from "zod";

/** Where a check tells what is wrong. zod's own context of `superRefine` is one. */
export interface Faults {
  addIssue(fault: { code: "custom"; message: string; path?: PropertyKey[] }): void;
}

/**
 * What `superRefine` does, for `.check()`, and for the schemas of every send. zod puts a function on what it parses that leads back to it, and
 * V8's young collections (24.x) never find such a ring dead: with it, all that a request made waited for a full collection.
 */
export function refining<T>(
  refine: (value: T, faults: Faults) => void,
  params: { when?: (payload: z.core.ParsePayload) => boolean } = {},
): z.core.$ZodCheck<T> {
  const check = z.check<T>(({ value, issues }) =>
    refine(value, {
      addIssue: (fault) => void issues.push({ ...fault, input: value, inst: check, continue: true }),
    }),
  );
  Object.assign(check._zod.def, params);
  return check;
}

/** What `transform` does, for `.pipe()`, and for the same reason. What it answers after a fault counts for nothing. */
export const transforming = <A, B>(transform: (value: A, faults: Faults) => B): z.core.$ZodTransform<B, A> =>
  new z.core.$ZodTransform({
    type: "transform",
    transform: (value, { issues }) =>
      transform(value as A, { addIssue: (fault) => void issues.push({ ...fault, input: value }) }),
  }) as z.core.$ZodTransform<B, A>;
