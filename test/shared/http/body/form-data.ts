/** A part as it stands in a form: its headers and its content. */
export type RawPart = { readonly headers: readonly string[]; readonly content: string | Uint8Array };

export const BOUNDARY = 'a-boundary';
export const FORM_TYPE = { 'Content-Type': `multipart/form-data; boundary=${BOUNDARY}` };

export const field = (name: string, content: string): RawPart => ({
  headers: [`Content-Disposition: form-data; name="${name}"`],
  content,
});

export const filePart = (
  content: string | Uint8Array,
  { name = 'file', disposition = 'filename="a.pdf"', type = 'application/pdf' } = {},
): RawPart => ({
  headers: [`Content-Disposition: form-data; name="${name}"; ${disposition}`, `Content-Type: ${type}`],
  content,
});

/** The bytes of a whole form. */
export function formData(...parts: RawPart[]): Buffer {
  const written = parts.flatMap(({ headers, content }) => [
    Buffer.from(`--${BOUNDARY}\r\n${headers.join('\r\n')}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
  return Buffer.concat([...written, Buffer.from(`--${BOUNDARY}--\r\n`)]);
}
