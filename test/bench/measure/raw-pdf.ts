/** A one-page PDF with a stream of so many bytes in it, made in one allocation. */
export function rawPdf(fillerBytes: number): Buffer {
  const objects = [
    '1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n',
    '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n',
    '3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>\nendobj\n',
  ];
  const opening = `4 0 obj\n<< /Length ${fillerBytes} >>\nstream\n`;
  const closing = '\nendstream\nendobj\n';
  const offsets: number[] = [];
  let at = '%PDF-1.7\n'.length;
  for (const object of objects) {
    offsets.push(at);
    at += object.length;
  }
  offsets.push(at);
  const xrefAt = at + opening.length + fillerBytes + closing.length;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const ending = `xref\n0 5\n0000000000 65535 f \n${rows}trailer\n<< /Size 5 /Root 1 0 R >>\nstartxref\n${xrefAt}\n%%EOF\n`;
  const pdf = Buffer.alloc(xrefAt + ending.length, '%');
  pdf.write(`%PDF-1.7\n${objects.join('')}${opening}`, 0, 'latin1');
  pdf.write(`${closing}${ending}`, xrefAt - closing.length, 'latin1');
  return pdf;
}
