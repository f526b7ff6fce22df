/** Contents that the demo sends: a stylesheet, and two versions of a template. */
export const stylesheet = {
  name: "brand",
  css: `h1 { color: #1a5276; font-size: 22px }
.price { text-align: right; font-weight: bold }
@media (max-width: 480px) { h1 { font-size: 18px } }`,
};

export const firstVersion = {
  subject: "Your order",
  html: "<h1>Thank you, {{name}}!</h1><p>Your order is on its way.</p>",
  text: "Thank you, {{name}}! Your order is on its way.",
  sample_data: { name: "Ada" },
};

export const secondVersion = {
  subject: "Order {{order.id}}: {{order.total}} €",
  html: `<h1>Thank you, {{name}}!</h1>
<table>
{{#order.items}}<tr><td>{{title}}</td><td class="price">{{price}} €</td></tr>
{{/order.items}}</table>
{{^order.gift}}<p>No gift wrapping.</p>{{/order.gift}}`,
  text: `Thank you, {{name}}!
{{#order.items}}
- {{title}}: {{price}} €
{{/order.items}}
Total: {{order.total}} €`,
  sample_data: { name: "Ada", order: { id: "0", total: "0", items: [], gift: false } },
  note: "lists what was ordered",
};

export const templateData = {
  name: "Grace <3",
  order: {
    id: "2041",
    total: "61.50",
    gift: false,
    items: [
      { title: "Brass post horn", price: "49.00" },
      { title: "Valve oil & cloth", price: "12.50" },
    ],
  },
};
