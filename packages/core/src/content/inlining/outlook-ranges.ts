// Bounded, as the search begins anew at each place that may be one.
const condition = String.raw`\[if\s[^\]>!]{0,40}!\s?\(?\s?mso\b[^\]>]{0,40}\]>`;
/** What begins and ends html for all readers but Outlook, such as `<!--[if !mso]><!-->` and `<!--<![endif]-->`. */
const marks = new RegExp(
  String.raw`<!--${condition}(?:<!--\s{0,9}(?:--)?>|-->)|<!${condition}|<!(?:--\s{0,9}<!)?\[endif\]`,
  "gi",
);

/** Returns a function that tells of ascending offsets whether Outlook reads what begins there. */
export function createOutlookRanges(html: string): (offset: number) => boolean {
  const places = [...html.matchAll(marks)];
  let next = 0;
  let isRead = true;
  return (offset) => {
    for (let place = places[next]; place !== undefined && place.index < offset; place = places[++next])
      isRead = /\[endif\]$/i.test(place[0]);
    return isRead;
  };
}
