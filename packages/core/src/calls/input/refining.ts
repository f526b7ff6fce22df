import { z } from "zod";

/** Collects the faults that a check finds. zod's own context of `superRefine` is one. */
export interface Faults {
  addIssue(fault: { code: "custom"; message: string; path?: PropertyKey[] }): void;
}

/**
 * Does the same as `superRefine`, for `.check()`, in the schemas of every send. zod adds a function to the parsed value
 * that refers back to it, and V8's young collections (24.x) never free such a cycle: all objects of a request would
 * wait for a full collection.
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

/** Does the same as `transform`, for `.pipe()`, for the same reason. Its result after a fault is ignored. */
export const transforming = <A, B>(transform: (value: A, faults: Faults) => B): z.core.$ZodTransform<B, A> =>
  new z.core.$ZodTransform({
    type: "transform",
    transform: (value, { issues }) =>
      transform(value as A, { addIssue: (fault) => void issues.push({ ...fault, input: value }) }),
  }) as z.core.$ZodTransform<B, A>;
