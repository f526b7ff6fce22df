import type { CompiledQuery } from "kysely";

const nameOf = Symbol("parameter");
const made = Symbol("what is bound of its value");

/** Placeholder in a compiled query for a value that each execution supplies. */
interface Parameter {
  [nameOf]: string;
  [made]?: (value: never) => unknown;
}

const parameter = (name: string): Parameter => ({ [nameOf]: name });

const isParameter = (value: unknown): value is Parameter =>
  typeof value === "object" && value !== null && nameOf in value;

/** Each property read from it is the placeholder of that name. */
export const parameters = new Proxy({}, { get: (_, name) => parameter(String(name)) });

/** The name of a placeholder; `undefined` for any other value. */
export const parameterName = (value: unknown): string | undefined =>
  isParameter(value) ? value[nameOf] : undefined;

/** For engines: `make` applied to a value, or to the value of each execution if it is a placeholder. */
export const madeOf = <T>(value: T, make: (value: T) => unknown): unknown =>
  isParameter(value) ? { ...value, [made]: make } : make(value);

/** The parameters of a query with an execution's values in place of placeholders. */
export const boundOf = (query: CompiledQuery, values: object): unknown[] =>
  query.parameters.map((value) => {
    if (!isParameter(value)) return value;
    const own = (values as Record<string, unknown>)[value[nameOf]];
    return value[made] === undefined ? own : value[made](own as never);
  });
