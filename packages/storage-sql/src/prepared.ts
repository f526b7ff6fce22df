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

/**
 * Compiles a query in as many forms as it is needed in: if the engine has a cheaper test for a list of one value, there is
 * a form for each choice of lists that have one. No query has more than two such lists, so there are four at most.
 */
function formsOf<R>(engine: Engine, compile: (engine: Engine) => CompiledQuery<R>): Forms<R> {
  const { isValue } = engine;
  if (isValue === undefined) {
    const query = compile(engine);
    return () => query;
  }
  const lists: string[] = [];
  const compileFor = (areOne: readonly string[]): CompiledQuery<R> =>
    compile({
      ...engine,
      anyOf(column, values, type) {
        if (type === undefined || !isParameter(values)) return engine.anyOf(column, values, type);
        const name = values[nameOf];
        if (!lists.includes(name)) lists.push(name);
        if (!areOne.includes(name)) return engine.anyOf(column, values, type);
        return isValue(column, sql`${madeOf(values, ([value]) => value)}`);
      },
    });
  const forms: (CompiledQuery<R> | undefined)[] = [compileFor([])];
  return (values) => {
    const isOne = (name: string) => (values as Record<string, readonly unknown[]>)[name]?.length === 1;
    let form = 0;
    for (let at = 0; at < lists.length; at += 1) if (isOne(lists[at] ?? "")) form += 2 ** at;
    const known = forms[form] ?? compileFor(lists.filter(isOne));
    forms[form] = known;
    return known;
  };
}
