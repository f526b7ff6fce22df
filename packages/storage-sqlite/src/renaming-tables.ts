import type { QueryCompiler, RootOperationNode } from "kysely";

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && "kind" in value;

/** Of these, nothing below is a node that names a table: values of the caller's, and bare names. */
const leaves: ReadonlySet<unknown> = new Set(["ValueNode", "PrimitiveValueListNode", "IdentifierNode"]);

/** A compiler that writes our tables' names as the database has them, wherever a query names them; aliases stay. */
export const renamingTables = (
  compiler: QueryCompiler,
  names: ReadonlyMap<string, string>,
): QueryCompiler => {
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.some(isNode) ? value.map(rename) : value;
    if (!isNode(value) || leaves.has(value["kind"])) return value;
    if (value["kind"] === "SchemableIdentifierNode") {
      const { schema, identifier } = value as { schema?: unknown; identifier: { name: string } };
      const name = names.get(identifier.name);
      return schema !== undefined || name === undefined
        ? value
        : { ...value, identifier: { ...identifier, name } };
    }
    return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, rename(child)]));
  };
  return {
    compileQuery: (node, queryId) => compiler.compileQuery(rename(node) as RootOperationNode, queryId),
  };
};
