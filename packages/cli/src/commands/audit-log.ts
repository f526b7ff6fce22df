import type { Register } from "../program/verbs/register.ts";
import { addRouteVerb } from "../program/verbs/route-verb.ts";
import { readable } from "../terminal/report-done.ts";
import { categories } from "./events/categories.ts";

export const register: Register = (command, act) => {
  addRouteVerb(command, act, "list", {
    asks: "GET /workspaces/current/audit-log",
    summary: "list a workspace's audit events, newest first",
    example: "posthorn audit-log list --all --workspace Shop",
    isDefault: true,
    pagesFrom: 0,
    options: [
      {
        flags: "--category <category>",
        field: "category",
        describes: "only events of this category",
        choices: categories,
      },
    ],
    columns: [
      { title: "TIME", cell: ({ created_at }) => readable(created_at) },
      { title: "TYPE", cell: ({ type }) => type, narrow: "repeated" },
      { title: "MESSAGE", cell: ({ message }) => message, narrow: "cut" },
    ],
  });
};
