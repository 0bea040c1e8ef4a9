import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { Visible } from '../../../../shared/signing/pades/signed-field.ts';
import type { SignatureInput as Signable } from '../../../../shared/signing/two-step/format.ts';
import { holderName } from '../../../../shared/signing/two-step/holder-name.ts';
import { momentInBrasilia } from '../calendar.ts';
import type { Document } from '../document/document.ts';
import { newestOf, readNewest, streamOf } from '../document/newest-file.ts';
import { type Flow, kindOf, type Mark } from '../flow/flow.ts';

/** A signature of a document, as it is kept between its two steps. */
export type Subject = {
  readonly document: Pick<Document, 'original' | 'signed' | 'flow'>;
  readonly certificate: Certificate;
  /** The issuer first, upwards. */
  readonly chain: readonly Certificate[];
  readonly signingTimeMs: number;
  /** Where the signature is shown, in a format that shows any. */
  readonly mark: Mark | null;
  readonly isTimestamped: boolean;
};

/** The same, as the formats take it: over the newest file. */
export function signableOf({ document, mark, ...signing }: Subject): Signable {
  const { key } = newestOf(document);
  const file = {
    read: () => readNewest(document),
    stream: () => streamOf(key),
    isSigned: document.signed !== null,
  };
  return {
    ...signing,
    file,
    visible: mark ? shown(mark, signing) : undefined,
    othersFollow: signaturesAsked(document.flow) > 1,
  };
}

const shown = (
  place: Mark,
  { certificate, signingTimeMs }: Pick<Subject, 'certificate' | 'signingTimeMs'>,
): Visible => ({
  lines: [holderName(certificate), momentInBrasilia(signingTimeMs)],
  place,
  border: true,
});

const signaturesAsked = (flow: Flow): number =>
  flow.filter((action) => kindOf(action) === 'signature').reduce((sum, { required }) => sum + required, 0);
