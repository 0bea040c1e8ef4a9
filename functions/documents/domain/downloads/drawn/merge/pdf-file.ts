import { closeSync, openSync, writeSync } from 'node:fs';
import { PDFName, PDFNumber, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';

/** A PDF that is written to a file object by object. Only the offsets of its objects are held in memory. */
export type PdfFile = {
  /** The reference of an object that is written later, or never: then it is null. */
  readonly reserve: () => PDFRef;
  readonly write: (ref: PDFRef, object: PDFObject) => void;
  /** Writes what ends a file. `id` tells it from any other, as hexadecimal digits. */
  readonly end: (root: PDFRef, info: PDFRef, id: string) => void;
  readonly close: () => void;
};

// The second line tells programs that the file is binary (ISO 32000-1, 7.5.2).
const HEADER = Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1');

export function createPdfFile(path: string): PdfFile {
  const descriptor = openSync(path, 'wx');
  const offsets: (number | undefined)[] = [];
  let length = 0;
  const append = (bytes: Uint8Array): void => {
    for (let from = 0; from < bytes.length; ) from += writeSync(descriptor, bytes, from);
    length += bytes.length;
  };
  const appendText = (text: string): void => append(Buffer.from(text, 'latin1'));
  append(HEADER);
  return {
    reserve: () => PDFRef.of(offsets.push(undefined)),
    write(ref, object) {
      offsets[ref.objectNumber - 1] = length;
      appendText(`${ref.objectNumber} 0 obj\n`);
      if (object instanceof PDFRawStream) {
        // Its content is most of a file, and is written as it is held.
        object.dict.set(PDFName.of('Length'), PDFNumber.of(object.contents.length));
        append(bytesOf(object.dict));
        appendText('\nstream\n');
        append(object.contents);
        appendText('\nendstream');
      } else append(bytesOf(object));
      appendText('\nendobj\n');
    },
    end(root, info, id) {
      const start = length;
      appendText(`xref\n0 ${offsets.length + 1}\n0000000000 65535 f \n`);
      for (const offset of offsets)
        appendText(offset === undefined ? FREE : `${String(offset).padStart(10, '0')} 00000 n \n`);
      appendText(
        `trailer\n<< /Size ${offsets.length + 1} /Root ${root} /Info ${info} /ID [<${id}> <${id}>] >>\n`,
      );
      appendText(`startxref\n${start}\n%%EOF\n`);
    },
    close: () => closeSync(descriptor),
  };
}

// A reference to a free object is one to null (ISO 32000-1, 7.3.10).
const FREE = '0000000000 00001 f \n';

function bytesOf(object: PDFObject): Uint8Array {
  const bytes = new Uint8Array(object.sizeInBytes());
  object.copyBytesInto(bytes, 0);
  return bytes;
}
