import { type Declaration, list, parse, type Root, type Rule } from "postcss";
import { isVariable } from "./is-variable.ts";
import { settleSelector } from "./settle-selector.ts";

/**
 * Variables whose value readers or values decide; those that the inliner may have a value for; and those whose values
 * may lead back to themselves, which it would follow for ever: it gets none.
 */
export type LiveVariables = {
  names: ReadonlySet<string>;
  forAll: ReadonlySet<string>;
  circular: ReadonlySet<string>;
};

/** What defines variables: stylesheets, those that not every reader applies, and style attributes. */
type Definitions = { sheets: readonly Root[]; forSome: readonly Root[]; styles: readonly string[] };

/** What `SelectorFacts` tells of selectors. */
type Facts = {
  isForSome(selector: string): boolean;
  placed(pseudoClass: string): string | undefined;
};

/** Stands for `var` where the inliner is to leave it: it writes the value in place of every `var()`. */
const liveName = "posthorn-live";

/**
 * Returns the variables that style attributes define, which the inliner does not read, or that stylesheets define within
 * at-rules, for states of elements, for what mail programs add, or where values decide; and those that depend on them.
 */
export function findLiveVariables(
  { sheets, forSome, styles }: Definitions,
  { isForSome, placed }: Facts,
): LiveVariables {
  const forAll = new Set<string>();
  const names = new Set<string>();
  const users = new Map<string, string[]>();
  const isInlined = (selector: string): boolean => !settleSelector(selector, placed).stays;
  const use = ({ prop, value }: Declaration): void => {
    for (const name of namesIn(value)) {
      const known = users.get(name) ?? [];
      known.push(prop);
      users.set(name, known);
    }
  };
  for (const variable of styles.flatMap(variablesOfStyle)) {
    names.add(variable.prop);
    use(variable);
  }
  for (const sheet of [...sheets, ...forSome])
    for (const [rule, variables] of variablesOf(sheet)) {
      const selectors = isForAny(rule) && !forSome.includes(sheet) ? list.comma(rule.selector) : [];
      const some = selectors.filter(isForSome);
      for (const variable of variables) {
        const { prop } = variable;
        if (some.length > 0 || selectors.length === 0) names.add(prop);
        if (some.length < selectors.length || some.some(isInlined)) forAll.add(prop);
        use(variable);
      }
    }
  const circular = findCircular(users);
  for (const name of circular) {
    names.add(name);
    forAll.delete(name);
  }
  // What is added while the loop runs is visited, too.
  for (const name of names) for (const user of users.get(name) ?? []) names.add(user);
  return { names, forAll, circular };
}

/** Returns the variables that use themselves, and those that use such ones, from who uses which: no order resolves them. */
function findCircular(users: ReadonlyMap<string, readonly string[]>): Set<string> {
  const unresolved = new Map<string, number>();
  for (const user of [...users.values()].flat()) unresolved.set(user, (unresolved.get(user) ?? 0) + 1);
  const resolved = [...users.keys()].filter((name) => !unresolved.has(name));
  // What is added while the loop runs is visited, too.
  for (const name of resolved)
    for (const user of users.get(name) ?? []) {
      const left = (unresolved.get(user) ?? 0) - 1;
      unresolved.set(user, left);
      if (left > 0) continue;
      unresolved.delete(user);
      resolved.push(user);
    }
  return new Set(unresolved.keys());
}

function variablesOf(sheet: Root): Map<Declaration["parent"], Declaration[]> {
  const variables = new Map<Declaration["parent"], Declaration[]>();
  sheet.walkDecls((declaration) => {
    if (!isVariable(declaration)) return;
    const known = variables.get(declaration.parent) ?? [];
    known.push(declaration);
    variables.set(declaration.parent, known);
  });
  return variables;
}

/** Whether a rule is neither in an at-rule nor in another rule. */
const isForAny = (parent: Declaration["parent"]): parent is Rule =>
  parent?.type === "rule" && parent.parent?.type === "root";

const namesIn = (value: string): string[] =>
  [...value.matchAll(/\bvar\(\s*(--[^\s,()]+)/gi)].map(([, name = ""]) => name);

/**
 * Adds to each declaration that uses such a variable one that still does once it is inlined. Readers without variables
 * take the first, with the value that the stylesheets give it for all.
 */
export function keepLive(root: Root | Rule, live: LiveVariables): void {
  if (live.names.size === 0) return;
  const found: { declaration: Declaration; value: string }[] = [];
  root.walkDecls((declaration) => {
    if (isVariable(declaration)) return;
    const value = liveValue(declaration.value, live);
    if (value !== declaration.value) found.push({ declaration, value });
  });
  for (const { declaration, value } of found) declaration.cloneAfter({ value });
}

/** `keepLive` for a style attribute. One that can't be parsed stays as it is. */
export function keepLiveStyle(style: string, live: LiveVariables): string {
  if (!namesIn(style).some((name) => live.names.has(name))) return style;
  try {
    const root = parse(style);
    keepLive(root, live);
    return root.toString();
  } catch {
    return style;
  }
}

/** The variables of a style attribute; none of one that can't be parsed. */
export function variablesOfStyle(style: string): Declaration[] {
  if (!style.includes("--")) return [];
  try {
    return parse(style).nodes.filter((node): node is Declaration => isVariable(node));
  } catch {
    return [];
  }
}

/** Returns a style attribute without the variables whose values lead back to themselves. */
export function withoutCircular(style: string, { circular }: LiveVariables): string {
  const variables = variablesOfStyle(style).filter(({ prop }) => circular.has(prop));
  if (variables.length === 0) return style;
  const root = variables[0]?.root();
  for (const variable of variables) variable.remove();
  return `${root}`;
}

/** Returns an inlined style with its variables by their name. */
export const withVariables = (style: string): string => style.replaceAll(`${liveName}(`, "var(");

function liveValue(value: string, { names, forAll }: LiveVariables): string {
  let output = "";
  let position = 0;
  const calls = /\bvar\(\s*(--[^\s,()]+)\s*(,?)/gi;
  for (let call = calls.exec(value); call !== null; call = calls.exec(value)) {
    const [, name = "", comma] = call;
    // The inliner leaves one that has neither a value for all nor a default.
    if (!names.has(name) || (comma === "" && !forAll.has(name))) continue;
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
