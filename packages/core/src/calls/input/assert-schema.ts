/** Throws a `TypeError` for a schema of zod 3, which many hosts have, and for anything else that is none of zod 4. */
export const assertSchema = (owner: string, schema: unknown): void => {
  if (Object(schema)._zod === undefined)
    throw new TypeError(`${owner} must be a schema of zod 4, which zod 3.25 has as "zod/v4"`);
};
