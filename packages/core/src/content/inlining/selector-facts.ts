import { maskMark } from "../rendering/mask-tags.ts";
import type { Undecided } from "./find-undecided.ts";
import { type HtmlDocument, isImplied } from "./html-document.ts";
import { readersHooks } from "./readers-hooks.ts";
import { withoutPlaces, withoutStrings } from "./settle-selector.ts";
import type { SelectorFacts } from "./split-css.ts";

/** Names of elements that readers add to html without them. */
const impliedPattern = /(?<![\w.#-])(?:html|body|tbody|p)(?![\w-])/gi;

const rootPattern = /:root(?![\w-])/gi;

/** A combinator of siblings with the compound selector behind it; or what may hold such signs. */
const sibling = /([+~]\s*(?:\[[^\]]*\]|\([^()]*\)|\\.|[^\s>+~[(\\])+)|\[[^\]]*\]|\([^()]*\)|\\./gs;
/** An attribute of the elements whose siblings values may decide. */
const unsureMark = `${maskMark}unsure`;

/** A compound selector, and the combinator behind it. */
const compound =
  /((?:\[[^\]]*\]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\\[\da-f]{1,6}\s?|\\.|[^\s>+~[(\\])+)(\s*[>+~]\s*|\s+(?=\S))?/gis;
/** An attribute of the elements that values may take away from around others; and of those others. */
const wrapperMark = `${maskMark}wrapper`;
const wrappedMark = `${maskMark}wrapped`;

/** Maximum pseudo-classes that are inlined: each may mark all elements, and a thousand take more memory than a job has. */
const maxMarks = 200;

/** Creates what is known of the html's elements. Structural pseudo-classes are marked as attributes of the document. */
export function createSelectorFacts({ $, elements }: HtmlDocument, undecided: Undecided): SelectorFacts {
  const { parents, wrappers, attributes, anyAttribute, anyElement } = undecided;
  const implied = new Set(["html", "body"].filter((name) => $(name).length === 0));
  for (const element of elements()) if (isImplied(element)) implied.add(element.name);
  const marks = new Map<string, string | undefined>();
  for (const parent of parents)
    for (const child of parent?.children ?? []) if ("attribs" in child) child.attribs[unsureMark] = "";
  for (const wrapper of wrappers) wrapper.attribs[wrapperMark] = "";
  if (wrappers.size > 0)
    for (const element of $(`[${wrapperMark}] *`).toArray())
      if ("attribs" in element) element.attribs[wrappedMark] = "";

  /** Whether values may decide the attributes that a selector asks for. */
  function isOfUndecided(selector: string): boolean {
    const bare = withoutStrings(selector);
    if (bare.includes(".") && (anyAttribute || attributes.has("class"))) return true;
    if (bare.includes("#") && (anyAttribute || attributes.has("id"))) return true;
    const named = selector.matchAll(/\[\s*([^\s~|^$*=\]]+)/g);
    return [...named].some(([, name = ""]) => anyAttribute || attributes.has(name.toLowerCase()));
  }

  /** Whether values may decide the siblings or ancestors that selectors in a pseudo-class ask for. */
  function isAmongUndecided(pseudoClass: string, isOfPlace: boolean): boolean {
    const spaced = withoutPlaces(pseudoClass).replace(/\s+/g, " ");
    const [combinators = ""] = /[^ (,] ?[>+~ ] ?[^ ),].*/.exec(spaced) ?? [];
    if (combinators === "") return false;
    return wrappers.size > 0 || (parents.size > 0 && (isOfPlace || /[+~]/.test(combinators)));
  }

  function mark(pseudoClass: string): string | undefined {
    const bare = withoutStrings(pseudoClass);
    // An element may get what a `:not()` excludes.
    if (isOfUndecided(pseudoClass)) return undefined;
    const isOfPlace = /:(?!not|is|where|root)/i.test(bare);
    if (isAmongUndecided(bare, isOfPlace)) return undefined;
    // A name that no stylesheet has.
    const name = `${maskMark}${marks.size}`;
    try {
      for (const element of $(pseudoClass).toArray())
        if ("attribs" in element && !(isOfPlace && parents.has(element.parent))) element.attribs[name] = "";
    } catch {
      return undefined;
    }
    return `[${name}]`;
  }

  function sure(selector: string): string {
    const beside =
      parents.size === 0
        ? selector
        : selector.replace(sibling, (part, behind?: string) =>
            behind === undefined ? part : `${part}:where(:not([${unsureMark}]))`,
          );
    if (wrappers.size === 0) return beside;
    return beside.replace(compound, (part, within: string, combinator?: string) =>
      combinator === undefined ? part : `${within}:where(:not([${wrapperMark}]))${combinator}`,
    );
  }

  function varies(selector: string): boolean {
    const bare = withoutStrings(selector);
    for (const [name] of bare.matchAll(impliedPattern)) if (implied.has(name.toLowerCase())) return true;
    if (parents.size > 0 && /[+~:]/.test(bare)) return true;
    return isOfUndecided(selector);
  }

  function isWrapped(selector: string): boolean {
    if (wrappers.size === 0 || !/\S[\s>]+\S/.test(withoutStrings(selector))) return false;
    // Without a wrapper, what it holds are children of what is around it.
    const anywhere = selector.replace(/(\[[^\]]*\]|\\.)|>/gs, (_, part?: string) => part ?? " ");
    try {
      const found = $(`${anywhere}[${wrappedMark}]`);
      return found.length > 0 && found.not(sure(selector)).length > 0;
    } catch {
      return true;
    }
  }

  return {
    placed(given) {
      const pseudoClass = /[.[#\\]/.test(given) ? given : given.toLowerCase();
      if (!marks.has(pseudoClass) && marks.size < maxMarks) marks.set(pseudoClass, mark(pseudoClass));
      return marks.get(pseudoClass);
    },
    sure,
    isWrapped,
    isUndecided: (selector) => anyElement || readersHooks.test(selector) || varies(selector),
    isForSome(selector) {
      // The root is the same element whatever the values are.
      const bare = selector.replace(rootPattern, "");
      if (bare.trim() === "") return false;
      if (readersHooks.test(bare) || withoutStrings(bare).includes(":") || varies(bare)) return true;
      if (wrappers.size === 0) return false;
      try {
        return isWrapped(selector) || $(selector).is(`[${wrapperMark}]`);
      } catch {
        return true;
      }
    },
    reachesImplied: (selector) => implied.size > 0 && /(?:^|[\s>+~])\*$/.test(selector.trim()),
  };
}
