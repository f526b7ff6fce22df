import type { ChildNode } from "postcss";

/** Whether a node declares a variable. */
export const isVariable = (node: ChildNode): boolean => node.type === "decl" && node.prop.startsWith("--");
