import { buildPdf, ONE_PAGE } from './documents.ts';

const many = (count: number, make: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => make(at)).join('');

/** Files of about a megabyte, made to cost time or memory. */
export const HOSTILE: Record<string, () => Buffer> = {
  'a page tree in which every node is twice the next': () =>
    buildPdf({
      ...ONE_PAGE,
      ...Object.fromEntries(
        Array.from({ length: 60 }, (_, at) => [10 + at, `<</Kids[${11 + at} 0 R ${11 + at} 0 R]/Count 99>>`]),
      ),
      2: '<</Type/Pages/Kids[10 0 R]/Count 99999>>',
      70: '<</Kids[]>>',
    }),
  'a large page that is there thousands of times': () =>
    buildPdf({
      ...ONE_PAGE,
      2: `<</Kids[${many(80_000, () => '3 0 R ')}]/Count 7>>`,
      3: `<</Kids 9/A(${'a'.repeat(500_000)})>>`,
    }),
  'a stream whose dictionary is large, as every page': () =>
    buildPdf({
      ...ONE_PAGE,
      2: `<</Kids[${many(80_000, () => '6 0 R ')}]/Count 7>>`,
      6: `<</Length 0/A(${'a'.repeat(500_000)})>>\nstream\n\nendstream`,
    }),
  'a form whose fields are each in every other': () =>
    buildPdf({
      ...ONE_PAGE,
      1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[10 0 R]>>>>',
      ...Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [
          10 + at,
          `<</T(a)/Kids[${many(300, (kid) => `${10 + kid} 0 R `)}]>>`,
        ]),
      ),
    }),
  'a million empty dictionaries': () =>
    buildPdf({ ...ONE_PAGE, 1: `<</Type/Catalog/Pages 2 0 R/A[${many(250_000, () => '<<>>')}]>>` }),
  'thousands of tables that share their entries': () => {
    const words = many(1900, () => '%xref ');
    const file = buildPdf(ONE_PAGE);
    const tail = `\n${many(40_000, () => '0 0\n')}trailer\n<</Root 1 0 R/Prev 9>>\n`;
    return Buffer.concat([Buffer.from(`%PDF-1.7\n${words}${tail}`), file.subarray(9)]);
  },
  'thousands of fields that are signed with the same': () =>
    buildPdf({
      ...ONE_PAGE,
      1: `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${many(3000, (at) => `${10 + at} 0 R `)}]>>>>`,
      ...Object.fromEntries(
        Array.from({ length: 3000 }, (_, at) => [
          10 + at,
          `<</FT/Sig/T(a${at})/V<</SubFilter/ETSI.CAdES.detached/ByteRange[0 9 19 9]/Contents<${'30'.repeat(50)}>>>>>`,
        ]),
      ),
    }),
  'brackets without end': () =>
    Buffer.from(`%PDF-1.7\n1 0 obj\n${'['.repeat(1_000_000)}\nstartxref\n9\n%%EOF`),
  'a trailer that is all references': () => buildPdf(ONE_PAGE, `/X[${many(150_000, (at) => `${at} 0 R `)}]`),
};

/** A file with a valid table, and between two objects a text that looks like the start of an object at every digit. */
export function digitsWithoutEnd(): Buffer {
  const file = buildPdf(ONE_PAGE);
  const at = file.indexOf('xref');
  const digits = Buffer.alloc(3_000_000, '1');
  return Buffer.concat([file.subarray(0, at), digits, Buffer.from('\n'), file.subarray(at)]);
}
