import { parseTemplate, rawKind, type TemplateBody } from "./parse-template.ts";

/**
 * The dotted names a template prints, each once, in order; names of sections are not among them. Throws `TemplateSyntaxError` where the
 * source can't be read.
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
