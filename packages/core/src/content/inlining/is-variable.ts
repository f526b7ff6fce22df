import type { ChildNode, Declaration } from "postcss";

/** Whether a node declares a variable. */
export const isVariable = (node: ChildNode): node is Declaration =>
  node.type === "decl" && node.prop.startsWith("--");
