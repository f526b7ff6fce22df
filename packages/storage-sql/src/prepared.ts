import type { CompiledQuery } from "kysely";
import type { Engine, Handle } from "./engine.ts";

const nameOf = Symbol("parameter");
const made = Symbol("what is bound of its value");

/** Stands in a compiled query for the value that each execution brings. */
interface Parameter {
  [nameOf]: string;
  [made]?: (value: never) => unknown;
}

const parameter = (name: string): Parameter => ({ [nameOf]: name });

const isParameter = (value: unknown): value is Parameter =>
  typeof value === "object" && value !== null && nameOf in value;

/** For engines: what `make` makes of a value, at each execution where the value is a prepared query's stand-in. */
export const madeOf = <T>(value: T, make: (value: T) => unknown): unknown =>
  isParameter(value) ? { ...value, [made]: make } : make(value);

/** Whatever is read of it is the parameter of that name. */
const parameters = new Proxy({}, { get: (_, name) => parameter(String(name)) });

/** A query builder, or `sql` text. */
interface CompilableWith<R> {
  compile(db: Handle): CompiledQuery<R>;
}

/** A query compiled once an engine: call it with a handle and the values, and it answers the rows. */
export type Prepared<P, R> = (db: Handle, engine: Engine, values: P) => Promise<R[]>;

/**
 * Compiles a query once an engine instead of at each execution. Call it at the top of a module:
 *
 * ```ts
 * const findByUuid = prepared((db, { uuid }: { uuid: string }) => db.selectFrom("emails").selectAll().where("uuid", "=", uuid));
 * const [row] = await findByUuid(db, engine, { uuid });
 * ```
 *
 * Inside `build` a parameter is a stand-in: hand it to the query builder, to `sql`, to `engine.anyOf` or to `engine.valuesTable`, and
 * look at it in no other way. It can't stand for `null` in `is`, nor for the list of an `in` (use `engine.anyOf`); it may be `null` in values and sets.
 */
export const prepared = <P extends object, R>(
  build: (db: Handle, values: P, engine: Engine) => CompilableWith<R>,
  finish: (query: CompiledQuery<R>) => CompiledQuery<R> = (query) => query,
): Prepared<P, R> => {
  const compiled = new WeakMap<Engine, CompiledQuery<R>>();
  return async (db, engine, values) => {
    let query = compiled.get(engine);
    if (!query) {
      query = finish(build(db, parameters as P, engine).compile(db));
      compiled.set(engine, query);
    }
    const given = query.parameters.map((value) => {
      if (!isParameter(value)) return value;
      const own = values[value[nameOf] as keyof P];
      return value[made] === undefined ? own : value[made](own as never);
    });
    return (await db.executeQuery<R>({ ...query, parameters: given })).rows;
  };
};
