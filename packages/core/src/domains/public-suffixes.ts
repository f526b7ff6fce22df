// By name here, and this module when it is first needed: of CommonJS, bundlers give a dynamic import no names.
export { parse as parseName } from "tldts";
