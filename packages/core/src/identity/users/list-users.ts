import { z } from "zod";
import { searchField } from "../../calls/input/search-field.ts";
import { type Page, pagesOf, paging } from "../../calls/paging.ts";
import { useCase } from "../../calls/use-case.ts";
import { parseAddress } from "../../rules/addresses.ts";
import { type UserView, viewUser } from "./user-view.ts";

const pages = pagesOf("users");

/** Lists all users, newest first. `q` is searched in name and address (decisions §2). */
export const listUsers = useCase({
  access: "administrator",
  reads: true,
  input: z.strictObject({
    ...paging,
    q: searchField(254).describe("Lists only users whose name or address contains this text."),
  }),
  async run({ storage }, input): Promise<Page<UserView>> {
    const typed = input.q || undefined;
    const q = typed && (parseAddress(typed) ?? typed);
    return pages.pageOf(await storage.users.list({ q }, pages.sliceOf(input)), input, viewUser);
  },
});
