import { briefReadOf } from "@posthorn/storage-sql";
import type { CompiledQuery } from "kysely";

/** Answers to short reads as they were last given. */
export interface KnownAnswers {
  /** Remembers an answer: its rows as JSON, or null for none. */
  remember(query: CompiledQuery, answer: string | null): void;
  /** Returns the answer that may be assumed; `undefined` if there is none. */
  find(query: CompiledQuery): string | null | undefined;
  forget(query: CompiledQuery): void;
}

/** Maximum numbers of answers and of characters of all of them with their parameters. */
const limits = { answers: 5_000, size: 2_000_000 };

/** Creates the memory of a storage, from which the oldest answers are removed first. */
export const createKnownAnswers = ({ answers, size } = limits): KnownAnswers => {
  const known = new Map<string, string | null>();
  /** The texts of short reads, which are a few, by number. */
  const texts = new Map<string, number>();
  let used = 0;
  const nameOf = ({ sql, parameters }: CompiledQuery): string => {
    const number = texts.get(sql) ?? texts.size;
    texts.set(sql, number);
    return `${number} ${JSON.stringify(parameters)}`;
  };
  const remove = (name: string): void => {
    const former = known.get(name);
    if (known.delete(name)) used -= name.length + (former?.length ?? 0);
  };
  return {
    remember(query, answer) {
      const name = nameOf(query);
      remove(name);
      const added = name.length + (answer?.length ?? 0);
      if (added > size / 100) return;
      known.set(name, answer);
      used += added;
      for (const oldest of known.keys()) {
        if (known.size <= answers && used <= size) break;
        remove(oldest);
      }
    },
    find(query) {
      const answer = known.get(nameOf(query));
      return answer === undefined && briefReadOf(query)?.usuallyEmpty ? null : answer;
    },
    forget: (query) => remove(nameOf(query)),
  };
};
