import type { CompiledQuery } from "kysely";
import type { Engine, Handle } from "./engine.ts";
import { boundOf, parameters } from "./parameters.ts";
import { type Forms, formsOf } from "./statement-forms.ts";

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
    return (await db.executeQuery<R>({ ...query, parameters: boundOf(query, values) })).rows;
  };
};
