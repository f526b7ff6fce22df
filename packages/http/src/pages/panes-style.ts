/** Styles of a list with details: two panes on a wide screen, one at a time on a narrow one, light and dark. */
export const panesStyle = `
:root{color-scheme:light dark;--ink:#1d2129;--quiet:#5b6270;--edge:#e3e5ea;--field:#868c98;--soft:#f5f6f8;--paper:#fff;--accent:#8a5a00;--brand:#ffc629;--chosen:#fff4d6;--warn:#fff4d6;--fault:#fdecea;--alert:#b3261e}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--quiet:#a2a9b4;--edge:#33373f;--field:#737a87;--soft:#1b1e24;--paper:#14161a;--accent:#ffd15c;--chosen:#352b10;--warn:#352b10;--fault:#3b1a18;--alert:#f2b8b5}}
*{box-sizing:border-box}html,body{height:100%;margin:0}body{font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;color:var(--ink);background:var(--paper);display:flex;flex-direction:column}
a{color:var(--accent)}button,input{font:inherit;color:inherit}[hidden]{display:none!important}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}#mail:focus-visible{outline:0}
button{border:1px solid var(--edge);background:var(--paper);border-radius:.4rem;padding:.25rem .75rem;cursor:pointer}button:hover{background:var(--soft)}button:disabled{opacity:.45;cursor:default}
header{display:flex;align-items:center;gap:1rem;padding:.6rem 1rem;border-bottom:1px solid var(--edge);flex:none}
header p{margin:0;color:var(--quiet);flex:1;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}header form{margin:0}header nav{display:flex;gap:1rem}header nav a{color:var(--quiet)}header nav a[aria-current]{color:var(--ink);text-decoration:none;font-weight:600}
.brand{display:flex;gap:.55rem;align-items:center;color:inherit;text-decoration:none;font-size:1.05rem}.brand svg{width:2.1rem;height:2.1rem;padding:.35rem;border-radius:.5rem;background:var(--brand);color:#1d2129}
#lost{font-weight:400;color:var(--alert)}
#panes{flex:1;display:flex;min-height:0}#list{width:22rem;flex:none;border-right:1px solid var(--edge);overflow-y:auto;background:var(--soft)}
#search{position:sticky;top:0;width:calc(100% - 1.5rem);margin:.75rem;padding:.45rem .7rem;border:1px solid var(--field);border-radius:.5rem;background:var(--paper);z-index:1}#search::placeholder{color:var(--quiet);opacity:1}
#mails{list-style:none;margin:0;padding:0}#mails li{content-visibility:auto;contain-intrinsic-size:auto 5.2rem}#mails a{display:grid;grid-template-columns:1fr auto;gap:0 .75rem;padding:.6rem 1rem .65rem;border-bottom:1px solid var(--edge);color:inherit;text-decoration:none;border-left:3px solid transparent}
#mails a:hover{background:var(--paper)}#mails a[aria-current]{background:var(--chosen);border-left-color:var(--brand)}#mails a:focus-visible{outline-offset:-2px}
#mails .who,#mails strong,#mails .preview{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;min-width:0}#mails .who,#mails time,.preview,.clip{font-size:.84rem;color:var(--quiet)}
#mails strong{grid-column:1/-1;font-weight:400}#mails .new strong{font-weight:650}#mails .new .who{color:var(--ink)}.preview{grid-column:1/-1}.preview:has(+.clip){grid-column:1}.clip{grid-column:2;text-align:right}
h2,#mails strong,#mails .preview{unicode-bidi:plaintext;text-align:left}pre.text{unicode-bidi:plaintext}
#none,noscript p{padding:1rem;color:var(--quiet);margin:0}@media (scripting:none){#search,#mail,header form{display:none!important}}
#mail{flex:1;min-width:0;overflow-y:auto;padding:1.25rem 1.75rem 1.75rem;display:flex;flex-direction:column}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}h2{font-size:1.35rem;line-height:1.3;margin:0 0 .6rem;overflow-wrap:anywhere}dl{margin:0 0 .75rem}dl div{display:flex;gap:.75rem}dt{color:var(--quiet);width:3rem;flex:none}summary{color:var(--accent);cursor:pointer;width:fit-content}dd{margin:0;overflow-wrap:anywhere;min-width:0}
.back{display:none;align-self:flex-start;border:0;padding:.25rem 0;margin-bottom:.5rem;color:var(--accent)}
.note{margin:0 0 .75rem;color:var(--quiet)}.fault{white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--ink);background:var(--fault);border-left:3px solid var(--alert);border-radius:.25rem;padding:.55rem .8rem}.warn{background:var(--warn);color:var(--ink);border-radius:.5rem;padding:.5rem .8rem}
.files{list-style:none;margin:0 0 .75rem;padding:0;display:flex;flex-wrap:wrap;gap:.5rem}.files a{display:block;border:1px solid var(--edge);border-radius:.5rem;padding:.3rem .7rem;text-decoration:none;color:inherit;overflow-wrap:anywhere}.files a:hover{background:var(--soft)}.files small{display:block;color:var(--quiet)}
.tabs{display:flex;gap:.25rem;border-bottom:1px solid var(--edge);margin-bottom:.9rem;flex:none}.tabs button{border:0;border-radius:0;background:none;padding:.45rem .8rem;color:var(--quiet);border-bottom:2px solid transparent;margin-bottom:-1px}
.tabs [aria-selected=true]{color:var(--ink);border-bottom-color:var(--brand);font-weight:600}.tabs button:focus-visible{outline-offset:-2px}
.panel{flex:1;min-height:0}.panel.html{display:flex;flex-direction:column}.tools{display:flex;justify-content:space-between;gap:.75rem;margin-bottom:.75rem;flex-wrap:wrap}
.switch{display:inline-flex}.switch button{border-radius:0;margin-left:-1px}.switch button:first-child{border-radius:.4rem 0 0 .4rem;margin:0}.switch button:last-child{border-radius:0 .4rem .4rem 0}.switch [aria-pressed=true]{background:var(--soft);font-weight:600}
.frame{flex:1;min-height:26rem;display:flex}.frame iframe{flex:1;width:100%;border:1px solid var(--edge);border-radius:.5rem;background:#fff;color-scheme:light}.frame.narrow{justify-content:center;background:var(--soft);border-radius:.5rem;padding:1rem}.frame.narrow iframe{flex:none;width:390px;max-width:100%}
table{border-collapse:collapse;width:100%}th,td{text-align:left;vertical-align:top;padding:.35rem .75rem .35rem 0;border-bottom:1px solid var(--edge);overflow-wrap:anywhere;font-size:.9rem}th{white-space:nowrap;font-weight:600;width:1%}
pre{margin:0;white-space:pre-wrap;overflow-wrap:anywhere;font:13px/1.55 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}pre.text{font-size:14px}
.empty{margin:auto;color:var(--quiet);text-align:center;display:grid;gap:.75rem;justify-items:center;max-width:20rem}.empty svg{width:3.5rem;opacity:.35}
@media (max-width:48rem){#list{width:100%;border:0;background:var(--paper)}#mail{display:none;padding:1rem}.reading #list{display:none}.reading #mail{display:flex}.back{display:block}header{gap:.55rem;padding:.5rem .75rem;font-size:.88rem}header nav{gap:.6rem}header button{padding:.25rem .5rem}.switch{display:none}header .brand b,#count span{display:none}.tabs button{padding:.45rem .6rem}th,td{display:block;width:auto;padding:.1rem 0}th{border:0;padding-top:.4rem}}
@media (max-width:26rem){header{flex-wrap:wrap}header nav{margin-left:auto}header p{order:1;flex-basis:100%}}
@media (forced-colors:active){#mails a:not([aria-current]){border-left-color:Canvas}.tabs [aria-selected=false]{border-bottom-width:0;padding-bottom:calc(.45rem + 2px)}.switch [aria-pressed=true]{text-decoration:underline}}
@media print{html,body{height:auto}body,#panes,#mail,#mail .panel,.frame{display:block;overflow:visible}header,#list,.tabs,.tools,.back{display:none!important}.frame iframe{height:46rem;border:0}}
`;
