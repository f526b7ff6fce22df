const horn =
  '<path d="M2 8.5h15.5a5.5 5.5 0 1 1-5.5 5.5V8.5M17.5 8.5C23 8.5 26 6 29 2v13c-3-4-6-6.500-11.500-6.500" fill="none" stroke="currentColor" stroke-width="2.600" stroke-linejoin="round" stroke-linecap="round"/>';

/** Posthorn's sign, a coiled horn, as SVG. */
export const logo = `<svg viewBox="0 0 32 24" aria-hidden="true">${horn}</svg>`;

const badge = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-1 -5 34 34" color="#1d2129"><rect x="-1" y="-5" width="34" height="34" rx="7" fill="#ffc629"/>${horn}</svg>`;

/** The sign for a tab of the browser, as an element of a page's head. The page's policy needs `img-src data:`. */
export const icon = `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(badge)}">`;
