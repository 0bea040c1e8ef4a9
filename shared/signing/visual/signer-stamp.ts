import { icpBrasilIdentity } from '../../pki/icp-brasil/icp-brasil.ts';
import { maskCpf, parseCpf } from '../../taxpayer/cpf.ts';
import { momentInBrasilia } from '../../text/moment.ts';
import type { Stamp } from '../pades/appearance/stamp.ts';
import { holderName } from '../two-step/holder-name.ts';
import type { Signer } from './representation.ts';

/**
 * The stamp of a signer, in Portuguese, as everything that is printed. Both steps of a signature make the same.
 * @example { stamp: signerStamp({ certificate, signingTimeMs }), place }
 */
export function signerStamp({ certificate, signingTimeMs }: Signer): Stamp {
  const cpf = parseCpf(icpBrasilIdentity(certificate).cpf ?? '');
  return {
    title: 'Assinado digitalmente por',
    // Some authorities write the number into the name itself.
    name: cpf ? holderName(certificate).replaceAll(cpf, maskCpf(cpf)) : holderName(certificate),
    details: [...(cpf ? [`CPF ${maskCpf(cpf)}`] : []), momentInBrasilia(signingTimeMs)],
  };
}
