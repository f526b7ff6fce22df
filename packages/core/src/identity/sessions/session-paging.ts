import { paging } from "../../calls/paging.ts";

/** Input of a list of a user's sessions: a program that logs in before each call has hundreds of thousands. */
export const sessionPaging = {
  ...paging,
  // The contract asks for no page: whoever leaves it out gets as many as one may have.
  size: paging.size.default(100).describe("Number of items per page, 1 to 100. Default 100."),
};
