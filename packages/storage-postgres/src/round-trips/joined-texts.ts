import type { CompiledQuery } from "kysely";

/** Maximum number of combined texts: which queries coincide depends on a few use cases. */
const textsAtMost = 200;

/**
 * The text that runs several queries as one, in no order; `undefined` if there are too many combinations. Their
 * parameters are concatenated.
 */
export type JoinedTexts = (queries: readonly CompiledQuery[]) => string | undefined;

/** Combined texts as a tree, by the texts of the queries in order. */
interface Known {
  text?: string;
  next: Map<string, Known>;
}

/**
 * Builds each combined text once, by `join`. It is the same for any number of rows, so that it can be a named, planned
 * statement.
 */
export const createJoinedTexts = (join: (texts: readonly string[]) => string): JoinedTexts => {
  const root: Known = { next: new Map() };
  let made = 0;
  return (queries) => {
    let known = root;
    for (const { sql } of queries) {
      const next = known.next.get(sql) ?? { next: new Map() };
      if (made < textsAtMost) known.next.set(sql, next);
      known = next;
    }
    if (known.text === undefined && made < textsAtMost) {
      made += 1;
      known.text = join(renumbered(queries));
    }
    return known.text;
  };
};

/** The queries' texts, with their parameters numbered in a row. */
const renumbered = (queries: readonly CompiledQuery[]): string[] => {
  let before = 0;
  return queries.map(({ sql, parameters }) => {
    const shift = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + shift}`);
  });
};

/** All but the last are in a `with`, where PostgreSQL executes writes even if their result is not read. */
export const asOneWrite = (texts: readonly string[]): string => {
  const parts = texts.slice(0, -1).map((text, index) => `w${index} as (${text})`);
  return `with ${parts.join(", ")} ${texts.at(-1)}`;
};

/** Text of an error that the server raises if an assumption is wrong. */
export const otherAnswer = "posthorn: an assumed answer is another one now";

/**
 * A statement that fails unless all conditions hold, and then writes beside it fail, too. The text that is no integer
 * depends on them: as a constant it would be converted before they are looked at.
 */
export const asOneFact = (conditions: readonly string[]): string =>
  `select (case when ${conditions.join(" and ")} then '1' else '${otherAnswer}' end)::integer as confirmed`;

/** One row with a column for each: its rows as JSON, or null if there are none. */
export const asOneRead = (texts: readonly string[]): string => {
  const columns = texts.map(
    (text, index) => `(select json_agg(found) from (${text}) as found)::text as r${index}`,
  );
  return `select ${columns.join(", ")}`;
};
