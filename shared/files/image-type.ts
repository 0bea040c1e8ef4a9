export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/svg+xml'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];

// ISO/IEC 15948 5.2; ISO/IEC 10918-1 B.1.1.3 (SOI, and the marker after it).
const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const JPEG = Buffer.from('ffd8ff', 'hex');

/** The type of an image by its content: a name says nothing. @example imageTypeOf(bytes) // 'image/png' */
export function imageTypeOf(bytes: Buffer): ImageType | undefined {
  if (bytes.subarray(0, PNG.length).equals(PNG)) return 'image/png';
  if (bytes.subarray(0, JPEG.length).equals(JPEG)) return 'image/jpeg';
  return isSvg(bytes.toString('utf8')) ? 'image/svg+xml' : undefined;
}

/** What may stand before the root element: its beginning, and how it ends. A document type has no internal subset. */
const PROLOG = [
  ['<?', '?>'],
  ['<!--', '-->'],
  ['<!DOCTYPE', '>'],
] as const;

/** Whether the root element of a document is `svg`. Whether it is well-formed is left to the browser. */
function isSvg(text: string): boolean {
  let rest = text.replace(/^\uFEFF/, '').trimStart();
  for (;;) {
    const [opening, closing] = PROLOG.find(([begins]) => rest.startsWith(begins)) ?? [];
    if (!opening) return /^<svg[\s>/]/.test(rest.slice(0, 5));
    const end = rest.indexOf(closing, opening.length);
    if (end < 0) return false;
    rest = rest.slice(end + closing.length).trimStart();
  }
}
