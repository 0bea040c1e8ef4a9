import { Readable } from 'node:stream';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import type { Stamp } from '../../../../shared/signing/pades/appearance/stamp.ts';
import type { SignatureInput } from '../../../../shared/signing/two-step/format.ts';
import { holderName } from '../../../../shared/signing/two-step/holder-name.ts';
import { maskCpf, parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { momentInBrasilia } from '../calendar.ts';
import type { Document } from '../document/document.ts';
import { newestFile, readNewest, streamNewest } from '../document/newest-file.ts';
import { type Flow, kindOf, type Mark } from '../flow/flow.ts';

type Signed = Pick<Document, 'original' | 'signed' | 'flow'>;

type SignerInput = {
  readonly mark: Mark | null;
  readonly certificate: Certificate;
  readonly signingTimeMs: number;
  /** The newest file, where it is at hand. Else it is read from the bucket. */
  readonly held?: Buffer | undefined;
};

/** The input of both steps that follows from the document: its newest file, the appearance, signers to come. */
export const documentInput = (
  document: Signed,
  { mark, certificate, signingTimeMs, held }: SignerInput,
): Pick<SignatureInput, 'file' | 'visible' | 'othersFollow'> => ({
  file: {
    read: async () => held ?? readNewest(document),
    stream: () => (held ? Readable.from([held]) : streamNewest(document)),
    isSigned: newestFile(document) !== document.original,
  },
  visible: mark ? { stamp: stampOf(certificate, signingTimeMs), place: mark } : undefined,
  othersFollow: requiredSignatures(document.flow) > 1,
});

/** In Portuguese, as everything that is printed. Both steps of a signature make the same. */
function stampOf(certificate: Certificate, signingTimeMs: number): Stamp {
  const cpf = parseCpf(icpBrasilIdentity(certificate).cpf ?? '');
  return {
    title: 'Assinado digitalmente por',
    // Some authorities write the number into the name itself.
    name: cpf ? holderName(certificate).replaceAll(cpf, maskCpf(cpf)) : holderName(certificate),
    details: [...(cpf ? [`CPF ${maskCpf(cpf)}`] : []), momentInBrasilia(signingTimeMs)],
  };
}

const requiredSignatures = (flow: Flow): number =>
  flow.filter((action) => kindOf(action) === 'signature').reduce((sum, { required }) => sum + required, 0);
