/** Posthorn's sign, a coiled horn, as SVG. */
export const logo =
  '<svg viewBox="0 0 32 24" aria-hidden="true"><path d="M2 8.5h15.5a5.5 5.5 0 1 1-5.5 5.5V8.5M17.5 8.5C23 8.5 26 6 29 2v13c-3-4-6-6.500-11.500-6.500" fill="none" stroke="currentColor" stroke-width="2.600" stroke-linejoin="round" stroke-linecap="round"/></svg>';
