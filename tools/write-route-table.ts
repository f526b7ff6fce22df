import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { routeTable } from "./docs/route-table.ts";

/** Writes the table of routes into docs/api.md, between its marks. */
const file = join(resolve(import.meta.dirname, ".."), "docs/api.md");
const text = readFileSync(file, "utf8");
writeFileSync(
  file,
  text.replace(/(<!-- routes -->\n).*?(\n<!-- end -->)/s, (_, begin, end) => `${begin}${routeTable()}${end}`),
);
