/** A page of a list. */
export interface PageOf<T> {
  /** What is on it. */
  data: T[];
  /** Which page it is, and how much there is on all of them. */
  pagination: {
    /** The page's number: from 0, for templates and stylesheets from 1. */
    page: number;
    /** How many a page holds. */
    size: number;
    /** How many there are on all pages. Asked for by `after`, as many as there were when the walk began. */
    total: number;
    /** How many pages there are. */
    total_pages: number;
    /** Asks for what follows, as `after` in place of `page`; null where nothing does. */
    after: string | null;
  };
}
