import { type CompiledQuery, sql } from "kysely";
import type { Engine, Handle } from "./engine.ts";

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

/** For engines: `make` applied to a value, or to the value of each execution if it is a placeholder. */
export const madeOf = <T>(value: T, make: (value: T) => unknown): unknown =>
  isParameter(value) ? { ...value, [made]: make } : make(value);

/** Each property read from it is the placeholder of that name. */
const parameters = new Proxy({}, { get: (_, name) => parameter(String(name)) });

/** A query builder, or `sql` text. */
interface CompilableWith<R> {
  compile(db: Handle): CompiledQuery<R>;
}

/** A query compiled once per engine: call it with a handle and the values to get the rows. */
export type Prepared<P, R> = (db: Handle, engine: Engine, values: P) => Promise<R[]>;

/**
 * Compiles a query once per engine instead of at each execution. Call it at the top of a module:
 *
 * ```ts
 * const findByUuid = prepared((db, { uuid }: { uuid: string }) => db.selectFrom("emails").selectAll().where("uuid", "=", uuid));
 * const [row] = await findByUuid(db, engine, { uuid });
 * ```
 *
 * Inside `build` each parameter is a placeholder: pass it to the query builder, `sql`, `engine.anyOf` or
 * `engine.valuesTable`, and don't inspect it. It can't stand for `null` in `is`, nor for the list of an `in` (use
 * `engine.anyOf`); it may be `null` in values and sets.
 */
export const prepared = <P extends object, R>(
  build: (db: Handle, values: P, engine: Engine) => CompilableWith<R>,
  finish: (query: CompiledQuery<R>) => CompiledQuery<R> = (query) => query,
): Prepared<P, R> => {
  const compiled = new WeakMap<Engine, Forms<R>>();
  return async (db, engine, values) => {
    let forms = compiled.get(engine);
    if (forms === undefined) {
      forms = formsOf(engine, (shaped) => finish(build(db, parameters as P, shaped).compile(db)));
      compiled.set(engine, forms);
    }
    const query = forms(values);
    const given = query.parameters.map((value) => {
      if (!isParameter(value)) return value;
      const own = values[value[nameOf] as keyof P];
      return value[made] === undefined ? own : value[made](own as never);
    });
    return (await db.executeQuery<R>({ ...query, parameters: given })).rows;
  };
};

/** The compiled query for the values of an execution. */
type Forms<R> = (values: object) => CompiledQuery<R>;

/** Maximum length of a list whose values are parameters of their own, if the engine prefers that. */
const fewValues = 4;

/**
 * Compiles a query in as many forms as it is needed in: if the engine has a cheaper test for a list of few values, there
 * is a form for each choice of such lengths. No query has more than two such lists, so there are 25 at most.
 */
function formsOf<R>(engine: Engine, compile: (engine: Engine) => CompiledQuery<R>): Forms<R> {
  const { isOneOf } = engine;
  if (isOneOf === undefined) {
    const query = compile(engine);
    return () => query;
  }
  const lists: string[] = [];
  /** `countOf` tells the length of a list that has few values, else 0. */
  const compileFor = (countOf: (list: string) => number): CompiledQuery<R> =>
    compile({
      ...engine,
      anyOf(column, values, type) {
        if (type === undefined || !isParameter(values)) return engine.anyOf(column, values, type);
        const name = values[nameOf];
        if (!lists.includes(name)) lists.push(name);
        const count = countOf(name);
        if (count === 0) return engine.anyOf(column, values, type);
        const valueAt = (at: number) => sql`${madeOf(values, (given) => given[at])}`;
        return isOneOf(
          column,
          Array.from({ length: count }, (_, at) => valueAt(at)),
        );
      },
    });
  const forms: (CompiledQuery<R> | undefined)[] = [compileFor(() => 0)];
  return (values) => {
    const countOf = (name: string): number => {
      const count = (values as Record<string, readonly unknown[]>)[name]?.length ?? 0;
      return count <= fewValues ? count : 0;
    };
    let form = 0;
    for (let at = 0; at < lists.length; at += 1) form = form * (fewValues + 1) + countOf(lists[at] ?? "");
    const known = forms[form] ?? compileFor(countOf);
    forms[form] = known;
    return known;
  };
}
