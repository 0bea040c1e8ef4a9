import { unlessThrown } from '../../../../shared/errors/expected.ts';
import { onlyOctets } from '../../../../shared/signing/cms/attribute-map.ts';
import { ATTRIBUTE } from '../../../../shared/signing/cms/oids.ts';
import { readSignedData, type SignerInfo } from '../../../../shared/signing/cms/read.ts';
import { CmsMalformed } from '../../../../shared/signing/errors.ts';
import type { SignatureFormat } from '../../../../shared/signing/format-of.ts';
import type { SignatureValues } from './values.ts';

/** The values of every signature of a file, in the order of its verifier. In XML it found these paths covered. */
export const readValues = (
  format: SignatureFormat,
  bytes: Buffer,
  covered: readonly (string | undefined)[],
): Promise<readonly SignatureValues[]> => READERS[format](bytes, covered);

type Reader = (
  bytes: Buffer,
  covered: readonly (string | undefined)[],
) => Promise<readonly SignatureValues[]>;

// Each format is loaded on demand: a function that meets only PDFs never loads the XML parser.
const READERS: Readonly<Record<SignatureFormat, Reader>> = {
  CAdES: async (bytes) => readSignedData(bytes).signers.map((signer) => valuesOf(signer)),
  PAdES: async (file) => {
    const { openPdf } = await import('../../../../shared/signing/pades/pdf/document.ts');
    const { sourceOf } = await import('../../../../shared/signing/pades/pdf/source.ts');
    const { findSignatures } = await import('../../../../shared/signing/pades/verify/find-signatures.ts');
    const { readByteRange, splitContents } = await import(
      '../../../../shared/signing/pades/verify/byte-range.ts'
    );
    return findSignatures(openPdf(sourceOf(file)), file).flatMap(({ field, dict }) => {
      const covered = readByteRange(file, dict);
      if (typeof covered === 'string') return [];
      const read = () => readSignedData(splitContents(covered.contents).structure).signers[0];
      const signer = unlessThrown(CmsMalformed, read);
      return signer ? [valuesOf(signer, field.name)] : [];
    });
  },
  XAdES: async (bytes, covered) => {
    const { readXmlValues } = await import('./xml-values.ts');
    return readXmlValues(bytes, covered);
  },
};

function valuesOf({ digest, signed, signature }: SignerInfo, field?: string): SignatureValues {
  const hash = onlyOctets(signed, ATTRIBUTE.messageDigest);
  return { field, messageDigest: digest && hash && { digest, hash }, value: signature };
}
