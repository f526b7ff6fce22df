/** The mail of the end-to-end bench: a stylesheet of 4 KB, 7 KB of html with 15 placeholders and a loop, and a request's data. */
const rules = (name: string, at: number): string =>
  `.${name} { margin: 0; padding: ${at}px 24px; font-family: Helvetica, Arial, sans-serif; font-size: ${12 + at}px; line-height: ${20 + at}px; color: #2${at}3${at}4${at}; }`;
const classes = ["lead", "plain", "cell", "sum", "note", "foot", "link", "head"];

export const css = [
  ...classes.map(rules),
  ...Array.from({ length: 22 }, (_, at) => rules(`unused-${at}`, at % 9)),
].join("\n");

const paragraph = (at: number): string =>
  `<tr><td class="plain">${"Thank you for your order. We pack it with care and tell you when it leaves our house. ".repeat(2)}(${at})</td></tr>\n`;

export const subject = "Your order {{order.number}} is on its way";

export const html = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Order {{order.number}}</title></head><body>
<table width="100%"><tr><td class="head">{{shop.name}}</td></tr>
<tr><td class="lead">Good day {{customer.name}}, your order {{order.number}} of {{order.date}} is on its way.</td></tr>
${Array.from({ length: 22 }, (_, at) => paragraph(at)).join("")}
<tr><td class="plain">It goes to {{customer.name}}, {{address.street}}, {{address.city}}, {{address.country}}, with {{carrier}}.</td></tr></table>
<table width="100%">{{#rows}}<tr><td class="cell">{{quantity}}</td><td class="cell">{{title}}</td><td class="cell">{{price}}</td></tr>{{/rows}}</table>
<table width="100%"><tr><td class="sum">Total {{total}}</td></tr>
<tr><td class="note">Questions? Write to {{shop.mail}} or call {{shop.phone}}.</td></tr>
<tr><td class="foot"><a class="link" href="{{{links.order}}}">See the order</a> <a class="link" href="{{{links.stop}}}">Stop these mails</a></td></tr></table>
</body></html>
`;

export const templateData = {
  shop: { name: "Brass & Sons", mail: "shop@example.org", phone: "+44 20 7946 0000" },
  customer: { name: "Ada Byron <Countess>" },
  order: { number: "A-10293", date: "21 November" },
  address: { street: "12 St James's Square", city: "London", country: "United Kingdom" },
  carrier: "Royal Mail",
  rows: [1, 2, 3, 4, 5].map((at) => ({
    quantity: at,
    title: `Brass wheel no. ${at}`,
    price: `£${at * 12}.50`,
  })),
  total: "£187.50",
  links: { order: "https://shop.example.org/o/10293", stop: "https://shop.example.org/u/77" },
};

/** Request body for our API and the baselines. */
export const requestBody = JSON.stringify({
  template: "order",
  to: ["ben@example.net"],
  template_data: templateData,
});
