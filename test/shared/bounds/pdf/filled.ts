import { fill, makeFile, type Shape, SIGNATURE, UNITS, withForm } from './parts.ts';

// The places of values that reading or comparing reaches.
const PLACES: Readonly<Record<string, (value: string) => Buffer>> = {
  'the catalog': (value) => makeFile({ 1: `<</Type/Catalog/Pages 2 0 R/A ${value}>>` }),
  'the trailer': (value) => makeFile({}, { trailer: `/A ${value}` }),
  'the kids of the page tree': (value) => makeFile({ 2: `<</Type/Pages/Kids ${value}/Count 9>>` }),
  'the annotations of the page': (value) =>
    makeFile({ 3: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots ${value}>>` }),
  'the fields of the form': (value) => makeFile({ 1: withForm(`/Fields ${value}`) }),
  'the form': (value) => makeFile({ 1: withForm(`/Fields[]/A ${value}`) }),
  'the kids of a field': (value) => makeFile({ 1: withForm('/Fields[9 0 R]'), 9: `<</T(a)/Kids ${value}>>` }),
  'what a signature refers to': (value) =>
    makeFile({ 1: withForm('/Fields[9 0 R]'), 9: `<</T(a)/FT/Sig/V<<${SIGNATURE}/Reference ${value}>>>>` }),
  'the range of a signature': (value) =>
    makeFile({
      1: withForm('/Fields[9 0 R]'),
      9: `<</T(a)/FT/Sig/V<<${SIGNATURE.replace('[0 9 19 9]', value)}>>>>`,
    }),
  'the lock of a field': (value) =>
    makeFile({
      1: withForm('/Fields[9 0 R]'),
      9: `<</T(a)/FT/Sig/V<<${SIGNATURE}>>/Lock<</Action/Include/Fields ${value}>>>>`,
    }),
  'the certificates that it brings': (value) =>
    makeFile({ 1: `<</Type/Catalog/Pages 2 0 R/DSS<</Certs ${value}/CRLs ${value}>>>>` }),
};

/** Every place full of every kind of value. */
export const FILLED: Readonly<Record<string, Shape>> = Object.fromEntries(
  Object.entries(PLACES).flatMap(([place, at]) =>
    UNITS.map((unit) => [`${place} full of ${unit}`, (bytes: number) => at(`[${fill(unit, bytes)}]`)]),
  ),
);
