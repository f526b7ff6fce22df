// A module of its own with a named export, as bundlers give the dynamic import of a CommonJS package no named exports.
// It is imported when first needed.
export { parse as parseName } from "tldts";
