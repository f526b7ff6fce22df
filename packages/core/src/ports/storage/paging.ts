/** Position in a list after which the next page begins, whatever was added since. */
export interface ListPlace {
  /** Key of the last row in the order of the list. */
  key: number;
  /** Its time, if the list is in the order of times: the key decides between equal ones. */
  time?: number | undefined;
  /** Length of the list when the first page was read; it is counted only once. */
  total: number;
}

/** The requested part of a list: by an offset, or after a position, which costs the same however deep it is. */
export interface Slice {
  /** Number of rows to skip. */
  offset: number;
  /** Maximum number of rows. */
  limit: number;
  /** Position to continue after; it takes precedence over `offset`. */
  after?: ListPlace | undefined;
}

/** A part of a list with the length of the whole list. */
export interface Listing<T> {
  /** Items in the order of the list. */
  items: T[];
  /** Length of the whole list; if continued, its length when the first page was read. */
  total: number;
  /** Position of the last item; `undefined` if it is the end of the list. */
  after: ListPlace | undefined;
}
