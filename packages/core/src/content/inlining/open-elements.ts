/** The elements that are open at a place of html, by their tags alone. */
export interface OpenElements {
  open(name: string): void;
  /** Returns false for the end tag of an element that is not open, or not within the innermost cell: readers ignore it. */
  close(name: string): boolean;
}

const ofNone = new Set("area base br col embed hr img input link meta param source track wbr".split(" "));
const ofTables = new Set("table caption colgroup tbody thead tfoot tr td th".split(" "));
const tables = new Set("html table template".split(" "));
const scopes = new Set("html table template caption td th applet marquee object".split(" "));

/** Maximum elements that are searched for each end tag, many more than may be nested. */
const searched = 1_000;

/** Creates the list, as readers keep it (HTML Living Standard, 13.2.4.2). What they close by themselves stays in it. */
export function createOpenElements(): OpenElements {
  const elements: string[] = [];
  return {
    open(name) {
      if (!ofNone.has(name)) elements.push(name);
    },
    close(name) {
      // Readers add an empty element.
      if (name === "p" || ofNone.has(name)) return true;
      const bounds = ofTables.has(name) ? tables : scopes;
      const least = elements.length - searched;
      let at = elements.length - 1;
      while (at >= 0 && at >= least && elements[at] !== name && !bounds.has(elements[at] ?? "")) at--;
      if (at >= 0 && at < least) return true;
      if (elements[at] !== name) return false;
      elements.length = at;
      return true;
    },
  };
}
