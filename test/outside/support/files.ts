/** A PDF of one page that says `text`, of exactly `size` bytes where that is given: a comment fills it up. */
export function pdf(text: string, size?: number): Buffer<ArrayBuffer> {
  const content = `BT /F1 18 Tf 72 720 Td (${text.replaceAll(/[()\\]/g, '')}) Tj ET`;
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font << /F1 4 0 R >> >> /Contents 5 0 R >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ];
  const written = (filling: string) => {
    let file = `%PDF-1.7\n${filling}`;
    const offsets: number[] = [];
    for (const [index, body] of bodies.entries()) {
      offsets.push(file.length);
      file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    }
    const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
    const start = String(file.length).padStart(10, '0');
    return `${file}xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${bodies.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  };
  if (size === undefined) return Buffer.from(written(''), 'latin1');
  const room = size - written('').length;
  if (room < 2) throw new Error(`A PDF of ${size} bytes is too small`);
  return Buffer.from(written(`%${'x'.repeat(room - 2)}\n`), 'latin1');
}

export const form = (
  fields: Readonly<Record<string, string | Blob | readonly (string | Blob)[]>>,
): FormData => {
  const data = new FormData();
  for (const [name, values] of Object.entries(fields))
    for (const value of [values].flat()) data.append(name, value);
  return data;
};

export const file = (bytes: Uint8Array<ArrayBuffer> | string, name: string, type: string): File =>
  new File([bytes], name, { type });
