import { escapeHtml } from "../plain-reply.ts";

/** The frame of every page: it loads nothing, and looks the same on paper, phone and at night. */
export function pageFrame(title: string, body: string, { wide = false } = {}): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main${wide ? ' class="wide"' : ""}><h1>${escapeHtml(title)}</h1>
${body}</main></body></html>`;
}

const style = `:root{color-scheme:light dark;--edge:#8886;--accent:#0b57d0}
@media (prefers-color-scheme:dark){:root{--accent:#8ab4f8}}
body{font:17px/1.5 system-ui,sans-serif;margin:0;padding:1rem}
main{max-width:26rem;margin:8vh auto;padding:1.5rem 2rem;border:1px solid var(--edge);border-radius:.75rem}
main.wide{max-width:64rem;margin:1rem auto}h1{font-size:1.4rem;margin:0 0 1rem}
label{display:block;margin:.75rem 0 .25rem}input{font:inherit;width:100%;box-sizing:border-box;padding:.5rem;border:1px solid var(--edge);border-radius:.4rem}
button{font:inherit;margin:1rem .5rem 0 0;padding:.5rem 1.1rem;border:1px solid var(--accent);border-radius:.4rem;background:var(--accent);color:Canvas;cursor:pointer}
button.plain{background:none;color:var(--accent)}button:disabled{opacity:.5}a{color:var(--accent)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}[hidden]{display:none}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.4rem .75rem .4rem 0;border-top:1px solid var(--edge);overflow-wrap:anywhere}
iframe{width:100%;height:32rem;border:1px solid var(--edge);background:#fff}pre{overflow:auto;white-space:pre-wrap;font:.85rem ui-monospace,monospace}
.fault{color:#c5221f}@media (prefers-color-scheme:dark){.fault{color:#f28b82}}`;
