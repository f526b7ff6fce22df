import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A fenced block of a document. */
export interface Block {
  /** Path relative to the repository's root. */
  file: string;
  /** Line of the opening fence, from 1. */
  line: number;
  language: string;
  /** Name of a module: blocks of one name in one document form one module, which runs at the last of them. */
  name: string | undefined;
  /** Name of the blocks to put before this one. */
  after: string | undefined;
  text: string;
}

/** Returns the fenced blocks of a document, in order. */
export function readBlocks(root: string, file: string): Block[] {
  const blocks: Block[] = [];
  let open: Block | undefined;
  for (const [index, line] of readFileSync(join(root, file), "utf8").split("\n").entries()) {
    const fence = /^\s*```(.*)$/.exec(line)?.[1];
    if (open === undefined) {
      if (fence === undefined) continue;
      const [language = "", ...words] = fence.trim().split(/\s+/);
      const word = (key: string) => words.find((one) => one.startsWith(`${key}=`))?.slice(key.length + 1);
      open = { file, line: index + 1, language, name: word("name"), after: word("after"), text: "" };
    } else if (fence === undefined) {
      open.text += `${line}\n`;
    } else {
      blocks.push(open);
      open = undefined;
    }
  }
  if (open !== undefined) throw new Error(`${file}:${open.line}: the block is never closed`);
  return blocks;
}

/** Whether readers would run the block. */
export const isCode = ({ language }: Block): boolean => language === "ts" || language === "sh";

/** Whether the block is the output of the one before it. */
export const isOutput = ({ language }: Block): boolean => language === "json" || language === "text";

/** Returns the module that ends with this block; `undefined` if it ends later. `blocks` are those of the document. */
export function moduleOf(block: Block, blocks: Block[]): string | undefined {
  const same = (name: string | undefined) => blocks.filter((one) => name !== undefined && one.name === name);
  const group = block.name === undefined ? [block] : same(block.name);
  if (group.at(-1) !== block) return undefined;
  return [...same(block.after), ...group, { text: "export {};\n" }].map((one) => one.text).join("\n");
}

export const moduleName = (block: Block): string => `${block.file.replace(/\W/g, "-")}-${block.line}.ts`;
