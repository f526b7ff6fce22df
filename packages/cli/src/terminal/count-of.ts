import { grouped } from "./grouped.ts";

/** Says how many there are, in words that agree with the number: `1 line is`, `2,000 lines are`. */
export const countOf = (count: number, one: string, many: string): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;
