import { expect, test } from 'vitest';
import { costsOf, overLimits } from './cost.ts';

// The errors that each reader may throw.
const READERS: readonly [what: string, module: string, ...refusals: string[]][] = [
  ['a certificate', './certificates.ts', 'CertificateMalformed'],
  ['a PKCS#12 file', './pkcs12.ts', 'BrokenPkcs12', 'UnsupportedPkcs12'],
  ['a revocation list', './revocation-lists.ts', 'CrlMalformed'],
  ['an OCSP response', './ocsp-responses.ts', 'OcspMalformed'],
  ['a CMS signature', './cms.ts', 'CmsMalformed'],
  ['an encrypted file', './envelopes.ts', 'DecryptionFailed'],
  ['an XML document', './xml.ts', 'XmlRefused'],
  ['an XML document to sign', './xml-to-sign.ts', 'XmlRefused'],
  ['a PDF', './pdf.ts', 'PdfRefused'],
];

test.each(READERS)(
  '%s, any part of it made many, long, deep or crumbled, ends, and takes no more than ten times its size',
  async (_, module, ...refusals) => {
    const costs = await costsOf(new URL(module, import.meta.url));
    expect(overLimits(costs, refusals)).toEqual([]);
    expect(costs.length).toBeGreaterThan(10);
  },
);
