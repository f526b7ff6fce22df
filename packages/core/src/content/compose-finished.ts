import type { Logger } from "../ports/logger.ts";
import type { NewContent } from "../ports/storage.ts";
import { type ComposedContent, type Composition, composeContent } from "./composition.ts";
import { TemplateLimitError, TemplateSyntaxError } from "./rendering/template-errors.ts";

/**
 * A finished content ready to render. Text made from html may lose the end of a section, and what is within the limits
 * as it is written may exceed one by its styles or that text: accepted mail is sent all the same, as faithfully as
 * possible. Throws `TemplateSyntaxError` if nothing can be rendered.
 */
export function composeFinished(content: NewContent, finished: ComposedContent, logger: Logger): Composition {
  const others = [{ ...finished, text: content.text }, { ...finished, html: content.html }, content];
  return composeNearest([finished, ...others], logger);
}

/** The first content, and each next one for what can't be rendered of those before. */
function composeNearest(
  [first, ...others]: readonly [ComposedContent, ...ComposedContent[]],
  logger: Logger,
): Composition {
  // Each is made once: a large one takes ms to compile, and each e-mail with as many rows needs the next.
  let own: Composition | undefined;
  let next: Composition | undefined;
  const nearest = <R>(give: (composition: Composition) => R): R => {
    try {
      own ??= composeContent(first);
      return give(own);
    } catch (error) {
      const [second, ...rest] = others;
      if (second === undefined || !isOfContent(error)) throw error;
      next ??= composeNearest([second, ...rest], logger);
      const given = give(next);
      logger.warn({ fault: error.message }, "a content is sent without all that it was finished with");
      return given;
    }
  };
  const composition = nearest((one) => one);
  if (composition === next) return composition;
  return {
    ...composition,
    render: (data) => nearest((one) => one.render(data)),
    renderBody: (data) => nearest((one) => one.renderBody(data)),
  };
}

/** Whether another content may be rendered where this one can't be. Time may suffice at another attempt. */
const isOfContent = (error: unknown): error is Error =>
  error instanceof TemplateSyntaxError || (error instanceof TemplateLimitError && error.limit !== "time");
