import { ServiceError } from "../../errors.ts";

/** Returns the code of a call's refusal, another error as it is, or `accepted`. */
export const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => "accepted",
    (error: unknown) => (error instanceof ServiceError ? error.code : error),
  );
