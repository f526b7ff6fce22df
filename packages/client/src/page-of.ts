/** A page of a list. */
export interface PageOf<T> {
  /** Items of the page. */
  data: T[];
  /** Number of the page, and totals of the list. */
  pagination: {
    /** The page's number: from 0, for templates and stylesheets from 1. */
    page: number;
    /** Maximum items per page. */
    size: number;
    /** Items on all pages. For a page requested by `after`, the number at the beginning of the walk. */
    total: number;
    /** Number of pages. */
    total_pages: number;
    /** Cursor of the next page, for `after` in place of `page`; null on the last page. */
    after: string | null;
  };
}
