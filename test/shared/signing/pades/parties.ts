import { createJudge } from '../../../../shared/pki/verdict/verdict.ts';
import type { PdfReport } from '../../../../shared/signing/pades/verify/report.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { stampWith } from '../../../../shared/signing/timestamp/client.ts';
import { holderKey, pki } from '../cms/fixtures.ts';
import { reaching } from '../timestamp/fixtures.ts';

export const person = holderKey();
/** The same key with another certificate: pdfsig trusts a certificate only once in one file. */
export const personAgain = holderKey();
export const company = holderKey({
  key: 'p384',
  keyName: 'company',
  commonName: 'EMPRESA TESTE LTDA:11222333000181',
});

/** The real judge with the test's root. These certificates have no addresses for revocation. */
export const judge = createJudge({ anchors: [pki.root.certificate], revocation: 'skip' });

export const stamp = stampWith(reaching());

export const verify = (bytes: Buffer): Promise<PdfReport> => verifyPdf(bytes, { judge, atMs: Date.now() });

/** The changes and errors of all signatures in a report. */
export const messagesOf = ({ signatures }: PdfReport): string[] =>
  signatures.flatMap(({ changes, results }) => [
    ...changes.map(({ kind, what }) => `${kind}: ${what}`),
    ...results.errors.map(({ message }) => message),
  ]);

export const OPTIONS = { signingTimeMs: Date.now() };
