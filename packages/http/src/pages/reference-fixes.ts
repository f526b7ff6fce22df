/**
 * Corrects Scalar's markup for screen readers and keyboard users after each change of the page: buttons marked as
 * selected, roles that an element may not have, buttons without a name, and scrollable parts that can't be focused.
 */
export const referenceFixes = `
const mend = () => {
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change);
  each("button[aria-selected]:not([role])", (button) => {
    if (button.getAttribute("aria-selected") === "true") button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
    button.removeAttribute("aria-selected");
  });
  each("aside[role=navigation]", (aside) => aside.setAttribute("role", "region"));
  each("button[role=search]", (button) => button.removeAttribute("role"));
  each(".code-copy:not([aria-label]), .scalar-code-copy:not([aria-label])", (button) => button.setAttribute("aria-label", "Copy"));
  if (document.querySelector("#reference h1")) document.getElementById("until-shown")?.remove();
  each(".endpoints:not([tabindex]), .response-card-footer:not([tabindex])", (part) => { part.tabIndex = 0; });
};
let isDue = false;
new MutationObserver(() => {
  if (isDue) return;
  isDue = true;
  setTimeout(() => { isDue = false; mend(); }, 50);
}).observe(document.getElementById("reference"), { childList: true, subtree: true, attributes: true, attributeFilter: ["aria-selected"] });
`;
