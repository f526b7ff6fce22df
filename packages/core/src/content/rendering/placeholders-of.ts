import { parseTemplate, rawKind, type TemplateBody } from "./parse-template.ts";

/**
 * Returns the dotted names that a template prints, each once, in order, without names of sections. Throws
 * `TemplateSyntaxError` if the source can't be parsed.
 */
export function placeholdersOf(source: string): string[] {
  const names = new Set<string>();
  collect(parseTemplate(source).root, names);
  return [...names];
}

function collect(body: TemplateBody, names: Set<string>): void {
  for (const node of body.nodes) {
    if (node.kind <= rawKind) names.add(node.name);
    else if (node.body) collect(node.body, names);
  }
}
