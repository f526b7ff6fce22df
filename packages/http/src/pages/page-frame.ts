import { escapeHtml } from "../server/replies/plain-reply.ts";
import { logo } from "./logo.ts";

/**
 * Renders the frame of the pages that links in e-mails lead to. It loads nothing, and suits print, phones and dark
 * mode. Recipients of a workspace's mail see no logo, because they know the sender and not the service.
 */
export function pageFrame(title: string, body: string, readers: "users" | "recipients" = "users"): string {
  const sign = readers === "users" ? `<span class="sign">${logo}</span>` : "";
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${style}</style></head>
<body><main>${sign}<h1>${escapeHtml(title)}</h1>
${body}</main></body></html>`;
}

const style = `:root{color-scheme:light dark;--ink:#1d2129;--quiet:#5b6270;--edge:#d4d7de;--field:#868c98;--ground:#f5f6f8;--paper:#fff;--accent:#8a5a00;--brand:#ffc629;--fault:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a2a9b4;--edge:#3d424c;--field:#737a87;--ground:#101216;--paper:#191c21;--accent:#ffd15c;--fault:#f2b8b5}}
*{box-sizing:border-box}body{font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0;padding:1rem;color:var(--ink);background:var(--ground)}
main{overflow-wrap:anywhere;max-width:26rem;margin:9vh auto;padding:2rem;background:var(--paper);border:1px solid var(--edge);border-radius:1rem}
.sign{display:inline-flex;padding:.5rem;border-radius:.7rem;background:var(--brand);color:#1d2129}.sign svg{width:1.9rem;height:1.9rem}
h1{font-size:1.4rem;line-height:1.3;margin:0 0 .75rem}.sign+h1{margin-top:.9rem}p{margin:.5rem 0}p:empty{margin:0}
label{display:block;margin:1rem 0 .3rem;font-weight:500}input{font:inherit;color:inherit;width:100%;padding:.6rem .7rem;border:1px solid var(--field);border-radius:.5rem;background:var(--paper)}
button{font:inherit;font-weight:600;width:100%;margin-top:1.25rem;padding:.65rem 1rem;border:1px solid transparent;border-radius:.5rem;background:var(--brand);color:#1d2129;cursor:pointer}
button.plain{margin-top:.6rem;background:none;color:var(--accent);font-weight:500}button:hover{filter:brightness(.96)}.busy button{opacity:.5;cursor:default}a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}[hidden]{display:none!important}small{color:var(--quiet)}
[aria-invalid=true]{border-color:var(--fault)}.fault{color:var(--fault)}
@media (max-width:40rem){body{padding:0;background:var(--paper)}main{margin:0 auto;padding:1.5rem 1.25rem;border:0}}`;
