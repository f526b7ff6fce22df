/** A node of a plan that was executed, of `explain (analyze, format json)`. */
export interface PlanNode {
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Heap Fetches"?: number;
  Plans?: PlanNode[];
}

/** How many rows a plan reads, or how many of one table. */
export function rowsRead(node: PlanNode, table?: string): number {
  const name = node["Relation Name"];
  const isCounted = name !== undefined && (table === undefined || name === table);
  const own = isCounted
    ? (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"]
    : 0;
  return (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child, table), own);
}
