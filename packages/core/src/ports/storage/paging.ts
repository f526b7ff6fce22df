/** A stretch of a list. */
export interface Slice {
  offset: number;
  limit: number;
}

/** A stretch of a list with the length of the whole. */
export interface Listing<T> {
  /** In the order of the list. */
  items: T[];
  /** How many there are, on all pages. */
  total: number;
}
