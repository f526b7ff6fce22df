/** The mail that the delivery benches send: a template of about 3 KB, and its data. */
export const subject = "Your order {{number}} is on its way";
export const html = `<!doctype html><body>${"<p>Good day {{name}}, your order {{number}} is on its way.</p>\n".repeat(35)}</body>`;
export const text =
  "Good day {{name}},\nyour order {{number}} is on its way and will arrive tomorrow.\n".repeat(10);

export const dataOf = (number: number): Record<string, string> => ({
  name: `Ann ${number}`,
  number: String(number),
});

/** The same mail rendered, for senders without templates. */
export function rendered(number: number): { subject: string; html: string; text: string } {
  const { name, number: shown } = dataOf(number) as { name: string; number: string };
  const fill = (source: string): string =>
    source.replaceAll("{{name}}", name).replaceAll("{{number}}", shown);
  return { subject: fill(subject), html: fill(html), text: fill(text) };
}
