import { invertedKind, parseTemplate, rawKind, type TemplateBody } from "./parse-template.ts";

/** How a template uses a name of its data. */
export interface TemplateField {
  /** Whether its value is printed. */
  isPrinted: boolean;
  /** Whether it opens a section, which is left out if the value is empty. */
  isSection: boolean;
  /** Whether its items are printed, as by `{{.}}`. */
  printsItems: boolean;
  /** Whether a request without it is refused. Names of sections, and names within them, are optional. */
  isRequired: boolean;
  /** Fields of its value that are used, by name: `{{a.b}}`, and within its section `{{b}}`. */
  fields: Map<string, TemplateField>;
}

/** Maximum places that a name is listed in: each section within another doubles them. */
const maxScopes = 64;

/**
 * Returns the fields that templates use of their data, merged, by name. A name within a section may also be found
 * outside it, so it is listed in both places; within more than six sections, in the innermost 63 and the outermost. Throws `TemplateSyntaxError` if a template can't be parsed.
 */
export function templateFieldsOf(sources: readonly string[]): Map<string, TemplateField> {
  const root = new Map<string, TemplateField>();
  for (const source of sources) collect(parseTemplate(source).root, [root]);
  return root;
}

/**
 * `scopes` are the fields that a name may belong to, the innermost last. `around` is the name of the innermost section.
 */
function collect(
  body: TemplateBody,
  scopes: readonly Map<string, TemplateField>[],
  around: readonly TemplateField[] = [],
): void {
  for (const node of body.nodes) {
    if (node.name === ".") {
      if (node.kind <= rawKind) for (const field of around) field.printsItems = true;
      if (node.body !== null) collect(node.body, scopes, around);
      continue;
    }
    const path = [node.first, ...(node.rest ?? [])];
    const found = scopes.map((scope) => fieldAt(scope, path, scopes.length === 1 && node.kind <= rawKind));
    for (const field of found) {
      if (node.kind <= rawKind) field.isPrinted = true;
      else if (node.kind !== invertedKind) field.isSection = true;
    }
    if (node.body === null) continue;
    // An inverted section opens no scope, but names within it are optional too.
    if (node.kind === invertedKind)
      collect(node.body, scopes.length === 1 ? [...scopes, new Map()] : scopes, around);
    else {
      const inner = [...scopes, ...found.map(({ fields }) => fields)];
      collect(node.body, [...inner.slice(0, 1), ...inner.slice(1).slice(1 - maxScopes)], found);
    }
  }
}

function fieldAt(
  scope: Map<string, TemplateField>,
  path: readonly string[],
  isRequired: boolean,
): TemplateField {
  let [fields, found] = [scope, newField()];
  for (const name of path) {
    found = fields.get(name) ?? newField();
    fields.set(name, found);
    found.isRequired ||= isRequired;
    fields = found.fields;
  }
  return found;
}

const newField = (): TemplateField => ({
  isPrinted: false,
  isSection: false,
  printsItems: false,
  isRequired: false,
  fields: new Map(),
});
