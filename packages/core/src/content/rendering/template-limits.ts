/** Maximum source of one template in UTF-8 bytes. */
export const maxTemplateSourceBytes = 512 * 1024;

/** Maximum nesting depth of sections. */
export const maxTemplateNesting = 64;

/** Maximum tags in one template. An opening and a closing tag are two, and comments count. */
export const maxTemplateTags = 2_000;

/** Maximum list items that one rendering repeats sections for, all sections together. */
export const maxTemplateLoopTurns = 10_000;

/** Maximum output of one template in UTF-8 bytes. */
export const maxTemplateOutputBytes = 2 * 1024 * 1024;

/** Maximum length of a rendered subject in UTF-16 units, as of one that is sent unchanged: lists and answers repeat it. */
export const maxRenderedSubject = 998;

/** Maximum length of a name in a tag, including dots, in UTF-16 units, as look-ups compare names in full. */
export const maxTemplateName = 200;

/**
 * Maximum steps of rendering one mail, its subject, html and text together. The limits above alone would still allow
 * 2,000 tags at depth 64 in each of 10,000 repetitions that print nothing: more than a thousand million look-ups.
 */
export const maxRenderWork = 500_000;

/** Maximum CPU ms of rendering one mail. Rendering within the step limit takes a tenth of it. */
export const maxRenderMs = 100;
