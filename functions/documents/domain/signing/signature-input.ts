import { Readable } from 'node:stream';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import type { Appearance } from '../../../../shared/signing/pades/appearance/appearance.ts';
import type { SignatureInput } from '../../../../shared/signing/two-step/format.ts';
import { holderName } from '../../../../shared/signing/two-step/holder-name.ts';
import { signerStamp } from '../../../../shared/signing/visual/signer-stamp.ts';
import type { Document } from '../document/document.ts';
import { newestFile, readNewest, streamNewest } from '../document/newest-file.ts';
import { codeStamp, initialsOf } from '../document/printed-marks.ts';
import { type Mark, requiredSignatures } from '../flow/flow.ts';

type Signed = Pick<Document, 'original' | 'signed' | 'flow' | 'code'>;

type SignerInput = {
  /** The places at which it is shown; none for a signature that is not. */
  readonly marks: readonly Mark[];
  readonly certificate: Certificate;
  readonly signingTimeMs: number;
  /** The newest file, where it is at hand. Else it is read from the bucket. */
  readonly held?: Buffer | undefined;
};

/** The input of both steps that follows from the document: its newest file, the appearance, signers to come. */
export const documentInput = (
  document: Signed,
  { marks, certificate, signingTimeMs, held }: SignerInput,
): Pick<SignatureInput, 'file' | 'visible' | 'othersFollow'> => ({
  file: {
    read: async () => held ?? readNewest(document),
    stream: () => (held ? Readable.from([held]) : streamNewest(document)),
    isSigned: newestFile(document) !== document.original,
  },
  visible: visibleOf(
    marks.map((mark) => ({
      ...appearanceOf(mark, { code: document.code, certificate, signingTimeMs }),
      place: mark,
    })),
  ),
  othersFollow: requiredSignatures(document.flow) > 1,
});

/** A mark of a signature as a PDF shows it. */
export type ShownMark = Appearance & { readonly place: Mark };

/** One signature at all of these places. */
export const visibleOf = ([first, ...others]: readonly ShownMark[]): SignatureInput['visible'] =>
  first && (others.length > 0 ? { ...first, others } : first);

type Drawn = Pick<SignerInput, 'certificate' | 'signingTimeMs'> & Pick<Document, 'code'>;

function appearanceOf({ type, height }: Mark, { certificate, signingTimeMs, code }: Drawn): Appearance {
  switch (type) {
    case 'SignatureInitials':
      return { lines: [initialsOf(holderName(certificate))], border: true, fontSizePoints: height / 2 };
    case 'AuthenticationStamp':
      return { stamp: codeStamp(code) };
    default:
      return { stamp: signerStamp({ certificate, signingTimeMs }) };
  }
}
