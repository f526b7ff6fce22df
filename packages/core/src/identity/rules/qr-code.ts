import { renderSVG } from "uqr";

/** Draws a text as a QR code, an SVG document. A module of its own, so that it is loaded only where it is shown. */
export function qrSvg(text: string): string {
  return renderSVG(text, { ecc: "M", border: 2 });
}
