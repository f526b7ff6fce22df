/** Longest source of one template, in UTF-8 bytes. */
export const maxTemplateSourceBytes = 512 * 1024;

/** Deepest nesting of sections. */
export const maxTemplateNesting = 64;

/** Most tags in one template; an opening and a closing tag are two, and comments count. */
export const maxTemplateTags = 2_000;

/** Most list items rendered in one render, all sections together. */
export const maxTemplateLoopTurns = 10_000;

/** Largest output of one template, in UTF-8 bytes. */
export const maxTemplateOutputBytes = 2 * 1024 * 1024;

/** Longest name in a tag, dots included, in UTF-16 units: whatever is looked up is compared in full. */
export const maxTemplateName = 200;

/**
 * Most steps in rendering one mail, its subject, html and text together. The limits above alone would still allow 2,000 tags at
 * depth 64 in each of 10,000 turns that print nothing: more than a thousand million look-ups.
 */
export const maxRenderWork = 500_000;

/** Maximum ms of its thread for rendering one mail. Rendering within the step limit takes a tenth of it. */
export const maxRenderMs = 100;
