import type { QueryCompiler, RootOperationNode } from "kysely";

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "kind" in value;

/** Nodes below which no table is named: callers' values and bare names. */
const leaves: ReadonlySet<unknown> = new Set(["ValueNode", "PrimitiveValueListNode", "IdentifierNode"]);

/**
 * A query compiler that replaces our tables' names with those in the database, wherever a query names them; aliases
 * stay.
 */
export const renamingTables = (
  compiler: QueryCompiler,
  names: ReadonlyMap<string, string>,
): QueryCompiler => {
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const renamed = value.map(rename);
      return renamed.some((child, at) => child !== value[at]) ? renamed : value;
    }
    if (!isNode(value) || leaves.has(value["kind"])) return value;
    if (value["kind"] === "SchemableIdentifierNode") {
      const { schema, identifier } = value as { schema?: unknown; identifier: { name: string } };
      const name = names.get(identifier.name);
      return schema !== undefined || name === undefined
        ? value
        : { ...value, identifier: { ...identifier, name } };
    }
    // Runs at each execution of an unprepared query, so only the path to a name is copied.
    let copy: Record<string, unknown> | undefined;
    for (const key in value) {
      const child = value[key];
      const renamed = rename(child);
      if (renamed === child) continue;
      copy ??= { ...value };
      copy[key] = renamed;
    }
    return copy ?? value;
  };
  return {
    compileQuery: (node, queryId) => compiler.compileQuery(rename(node) as RootOperationNode, queryId),
  };
};
