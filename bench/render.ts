import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import Handlebars from "handlebars";
import { compileTemplate } from "../packages/core/src/content/rendering/compile-template.ts";

// mustache.js ships no types.
const Mustache: { parse(source: string): unknown; render(source: string, data: unknown): string } =
  createRequire(import.meta.url)("mustache");

type Engine = { name: string; render: () => string };

const ROUNDS = 9;
const RENDERS = 4_000;

const STYLE =
  "margin:0;padding:12px 24px;font-family:Helvetica,Arial,sans-serif;font-size:14px;line-height:21px";

/** A transactional mail of about 8 KB: an order confirmation with a loop over its rows. */
const SOURCE = `<!doctype html><html><head><title>Order {{order.number}}</title></head><body>
<table width="100%" style="${STYLE}"><tr><td style="${STYLE}">Hello {{customer.name}},</td></tr>
${`<tr><td style="${STYLE}"><p style="${STYLE}">Thank you for your order. We are packing it now.</p></td></tr>\n`.repeat(20)}
<tr><td>Order {{order.number}} of {{order.date}}, to {{customer.mail}}</td></tr></table>
<table width="100%">
{{#rows}}
<tr><td style="${STYLE}">{{quantity}}</td><td style="${STYLE}">{{title}}</td><td style="${STYLE}">{{price}}</td></tr>
{{/rows}}
</table>
{{#note}}<p style="${STYLE}">{{note}}</p>{{/note}}{{^paid}}<p>Please pay {{total}}.</p>{{/paid}}
<p style="${STYLE}"><a href="{{{links.order}}}">See the order</a> | <a href="{{{links.stop}}}">Unsubscribe</a></p>
</body></html>
`;

const DATA = {
  customer: { name: "Ada & Charles <Analytical>", mail: "ada@example.org" },
  order: { number: "A-10293", date: "21 November" },
  rows: [1, 2, 3, 4, 5].map((n) => ({
    quantity: n,
    title: `Brass wheel no. ${n}`,
    price: `${n * 12}.50 EUR`,
  })),
  note: null,
  paid: false,
  total: "187.50 EUR",
  links: { order: "https://shop.example.org/o/10293", stop: "https://shop.example.org/u/77" },
};

/** Renders one mail with our engine, mustache.js and handlebars in alternating rounds; prints a table and a JSON line. */
export async function run(): Promise<void> {
  const engines = prepareEngines();
  const expected = engines[0]?.render();
  for (const engine of engines) {
    if (engine.render() !== expected) throw new Error(`${engine.name} renders something else`);
  }
  const times = new Map(engines.map(({ name }) => [name, [] as number[]]));
  for (let round = -2; round < ROUNDS; round++) {
    for (const { name, render } of engines) {
      const microseconds = timeOf(render);
      if (round >= 0) times.get(name)?.push(microseconds);
    }
  }
  report(new Map([...times].map(([name, values]) => [name, median(values)])), expected?.length ?? 0);
}

function prepareEngines(): Engine[] {
  const posthorn = compileTemplate(SOURCE, { escape: "html" });
  const handlebars = Handlebars.compile(SOURCE);
  Mustache.parse(SOURCE);
  return [
    { name: "posthorn", render: () => posthorn.render(DATA).output },
    { name: "mustache", render: () => Mustache.render(SOURCE, DATA) },
    { name: "handlebars", render: () => handlebars(DATA) },
  ];
}

function timeOf(render: () => string): number {
  const start = process.hrtime.bigint();
  let characters = 0;
  for (let index = 0; index < RENDERS; index++) characters += render().length;
  if (characters === 0) throw new Error("nothing was rendered");
  return Number(process.hrtime.bigint() - start) / 1_000 / RENDERS;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

function report(medians: Map<string, number>, characters: number): void {
  const own = medians.get("posthorn") ?? Number.NaN;
  const ratio = (name: string) => Number(((medians.get(name) ?? Number.NaN) / own).toFixed(2));
  console.table(
    [...medians].map(([engine, time]) => ({
      engine,
      "µs a mail": Number(time.toFixed(2)),
      "mails/s": Math.round(1e6 / time),
      "posthorn is": `${ratio(engine)}×`,
    })),
  );
  console.log(
    JSON.stringify({
      bench: "render",
      output_characters: characters,
      mails_per_second: Math.round(1e6 / own),
      ratio_mustache: ratio("mustache"),
      ratio_handlebars: ratio("handlebars"),
    }),
  );
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await run();
