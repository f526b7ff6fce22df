import type { CompiledQuery } from "kysely";

/** Texts made of several at the most: which writes come together is a matter of a few use cases. */
const textsAtMost = 200;

/** The text that runs queries as one, in no order; `undefined` where too many were made. Their parameters go one after the other. */
export type JoinedTexts = (queries: readonly CompiledQuery[]) => string | undefined;

/** By the texts of queries, one after the other, the text that they make together. */
interface Known {
  text?: string;
  next: Map<string, Known>;
}

/** Makes each text once: it is the same for any number of rows, so that it has a name and a plan like any other. */
export const createJoinedTexts = (): JoinedTexts => {
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
      known.text = join(queries);
    }
    return known.text;
  };
};

/** Each but the last in a `with`, where PostgreSQL runs what writes whether or not it is read. */
const join = (queries: readonly CompiledQuery[]): string => {
  let before = 0;
  const texts = queries.map(({ sql, parameters }) => {
    const shift = before;
    before += parameters.length;
    return sql.replace(/\$(\d+)/g, (_, number) => `$${Number(number) + shift}`);
  });
  const parts = texts.slice(0, -1).map((text, index) => `w${index} as (${text})`);
  return `with ${parts.join(", ")} ${texts.at(-1)}`;
};
