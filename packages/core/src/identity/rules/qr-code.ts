import { renderSVG } from "uqr";

/**
 * Draws a text as a QR code and returns an SVG document. A module of its own, so that the library is loaded only when
 * needed.
 */
export function qrSvg(text: string): string {
  return renderSVG(text, { ecc: "M", border: 2 });
}
