import { type Declaration, parse, type Root, type Rule } from "postcss";
import { isVariable } from "./is-variable.ts";
import { readersHooks } from "./readers-hooks.ts";

/** Variables whose value readers decide, such as one that a media query defines anew for dark mode. */
export type LiveVariables = ReadonlySet<string>;

/** Stands for `var` where the inliner is to leave it: it writes the value in place of every `var()`. */
const liveName = "posthorn-live";

/**
 * Returns the variables that parsed stylesheets define anew within at-rules, for states of elements or for what mail
 * programs add, and those that depend on them. `forSome` are stylesheets that not every reader applies.
 */
export function findLiveVariables(sheets: readonly Root[], forSome: readonly Root[]): LiveVariables {
  const forAll = new Set<string>();
  const again = new Set<string>();
  const users = new Map<string, string[]>();
  for (const sheet of [...sheets, ...forSome])
    sheet.walkDecls((declaration) => {
      if (!isVariable(declaration)) return;
      const isAgain = forSome.includes(sheet) || isForSome(declaration);
      (isAgain ? again : forAll).add(declaration.prop);
      for (const name of namesIn(declaration.value)) {
        const known = users.get(name) ?? [];
        known.push(declaration.prop);
        users.set(name, known);
      }
    });
  // The inliner leaves a variable that has no value for all.
  const live = new Set([...again].filter((name) => forAll.has(name)));
  // What is added while the loop runs is visited, too.
  for (const name of live) for (const user of users.get(name) ?? []) live.add(user);
  return live;
}

function isForSome({ parent }: Declaration): boolean {
  if (parent?.type !== "rule" || parent.parent?.type !== "root") return true;
  const { selector } = parent as Rule;
  return /:(?!root)/i.test(selector) || readersHooks.test(selector);
}

const namesIn = (value: string): string[] =>
  [...value.matchAll(/\bvar\(\s*(--[^\s,()]+)/gi)].map(([, name = ""]) => name);

/**
 * Adds to each declaration that uses such a variable one that still does once it is inlined. Readers without variables
 * take the first, with the value that the stylesheets give it for all.
 */
export function keepLive(root: Root | Rule, live: LiveVariables): void {
  if (live.size === 0) return;
  const found: Declaration[] = [];
  root.walkDecls((declaration) => {
    if (!isVariable(declaration) && namesIn(declaration.value).some((name) => live.has(name)))
      found.push(declaration);
  });
  for (const declaration of found) declaration.cloneAfter({ value: liveValue(declaration.value, live) });
}

/** `keepLive` for a style attribute. One that can't be parsed stays as it is. */
export function keepLiveStyle(style: string, live: LiveVariables): string {
  if (!namesIn(style).some((name) => live.has(name))) return style;
  try {
    const root = parse(style);
    keepLive(root, live);
    return root.toString();
  } catch {
    return style;
  }
}

/** Returns an inlined style with its variables by their name. */
export const withVariables = (style: string): string => style.replaceAll(`${liveName}(`, "var(");

function liveValue(value: string, live: LiveVariables): string {
  let output = "";
  let position = 0;
  const calls = /\bvar\(\s*(--[^\s,()]+)/gi;
  for (let call = calls.exec(value); call !== null; call = calls.exec(value)) {
    const [, name = ""] = call;
    if (!live.has(name)) continue;
    const end = endOfCall(value, call.index);
    if (end === -1) break;
    // Its value for all is what a reader takes that drops the stylesheet's definition.
    output += `${value.slice(position, call.index)}${liveName}(${name}, ${value.slice(call.index, end)})`;
    position = end;
    calls.lastIndex = end;
  }
  return output + value.slice(position);
}

/** The offset after the parenthesis that ends the call; -1 if there is none. */
function endOfCall(value: string, start: number): number {
  let depth = 0;
  for (let index = start; index < value.length; index++) {
    const character = value.charAt(index);
    if (character === "(") depth++;
    else if (character === ")" && --depth === 0) return index + 1;
  }
  return -1;
}
