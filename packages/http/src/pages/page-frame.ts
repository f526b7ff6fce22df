import { escapeHtml } from "../server/plain-reply.ts";

/** The frame of every page: it loads nothing, and looks the same on paper, phone and at night. */
export function pageFrame(
  title: string,
  body: string,
  { wide = false, data = {} }: { wide?: boolean; data?: Record<string, string> } = {},
): string {
  const attributes = Object.entries(data).map(([name, value]) => ` data-${name}="${escapeHtml(value)}"`);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main${wide ? ' class="wide"' : ""}${attributes.join("")}><h1>${escapeHtml(title)}</h1>
${body}</main></body></html>`;
}

const style = `:root{color-scheme:light dark;--edge:#8886;--accent:#0b57d0}
@media (prefers-color-scheme:dark){:root{--accent:#8ab4f8}}
body{font:17px/1.5 system-ui,sans-serif;margin:0;padding:1rem}
main{overflow-wrap:anywhere;max-width:26rem;margin:8vh auto;padding:1.5rem 2rem;border:1px solid var(--edge);border-radius:.75rem}
main.wide{max-width:64rem;margin:1rem auto}h1{font-size:1.4rem;margin:0 0 1rem}
label{display:block;margin:.75rem 0 .25rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;border:1px solid var(--edge);border-radius:.4rem}
button{font:inherit;margin:1rem .5rem 0 0;padding:.5rem 1.1rem;border:1px solid var(--accent);border-radius:.4rem;background:var(--accent);color:Canvas;cursor:pointer}
button.plain{background:none;color:var(--accent)}button:disabled{opacity:.5}a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}[hidden]{display:none}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--edge);overflow-wrap:anywhere}
th{white-space:nowrap;vertical-align:top;font-weight:600}.mails{list-style:none;padding:0;margin:0}.mails a{display:block;padding:.7rem .25rem;border-top:1px solid var(--edge);text-decoration:none;color:inherit}
.mails a:hover{background:#8881}.mails strong,.mails span,.mails small{display:block}.mails strong{color:var(--accent)}small{opacity:.75}
[aria-invalid=true]{border-color:#c5221f}iframe{width:100%;box-sizing:border-box;height:32rem;border:1px solid var(--edge);background:#fff}pre{overflow:auto;white-space:pre-wrap;font:.85rem ui-monospace,monospace}
.fault{color:#c5221f}@media (prefers-color-scheme:dark){.fault{color:#f28b82}}
@media (max-width:40rem){body{padding:.5rem}main,main.wide{margin:0 auto;padding:1rem;border:0}th{white-space:normal;overflow-wrap:normal}th,td{display:block;padding:.1rem 0}td{border-top:0;padding-bottom:.5rem}}`;
