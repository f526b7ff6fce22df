/** Where a stretch of a list ended. Behind it a walk goes on, whatever has come in since. */
export interface ListPlace {
  /** The last row's place in the order of the list. */
  key: number;
  /** How long the list was when the walk began: counted once, however many stretches it takes. */
  total: number;
}

/** A stretch of a list: by how many rows come before it, or what stands behind a place, which costs the same however deep that is. */
export interface Slice {
  /** Rows that come before it. */
  offset: number;
  /** Rows at the most. */
  limit: number;
  /** Goes before `offset`. */
  after?: ListPlace | undefined;
}

/** A stretch of a list with the length of the whole. */
export interface Listing<T> {
  /** In the order of the list. */
  items: T[];
  /** How many there are, on all pages; of a walk, how many there were when it began. */
  total: number;
  /** Where it ended; `undefined` where nothing follows. */
  after: ListPlace | undefined;
}
