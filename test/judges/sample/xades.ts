import type { SigningKey } from '../../../shared/signing/key.ts';
import { type SignXadesOptions, signXades } from '../../../shared/signing/xades/sign.ts';
import { BATCH } from '../../shared/signing/xades/parties.ts';
import { KEY_KINDS, type Parties } from './parties.ts';
import { named, POLICY, type SampleFile } from './sample.ts';

const DIGESTS = ['sha256', 'sha384', 'sha512'] as const;
// Without comments in texts, which nothing signs.
const DEGREE = Buffer.from(
  '<Diploma xmlns="https://portal.mec.gov.br/x"><infDiploma><DadosDiploma Id="Dip1"><Aluno>Zé &amp; Cia</Aluno></DadosDiploma><DadosRegistro Id="Reg1"><Livro>1</Livro></DadosRegistro></infDiploma></Diploma>',
);

/** XML of every key and digest, of the whole and of elements, with the signature in every place, and of several signers. */
export async function xadesFiles({ nowMs, keys, stamp }: Parties): Promise<SampleFile[]> {
  type More = Partial<SignXadesOptions>;
  const sign = (document: Buffer, key: SigningKey, more: More = {}) =>
    signXades(document, key, { signingTimeMs: nowMs, ...more });
  const files: SampleFile[] = [];
  const add = async (signed: Promise<Buffer>, ...parts: readonly string[]): Promise<Buffer> => {
    const bytes = await signed;
    files.push({ name: named('xades', ...parts, 'xml'), bytes });
    return bytes;
  };

  for (const kind of KEY_KINDS) {
    for (const digest of DIGESTS) await add(sign(DEGREE, keys[kind], { digest }), kind, digest);
    await add(sign(DEGREE, keys[kind], { stamp }), kind, 'B-T');
  }
  const { rsa2048: ana, p256: bia, p384: company } = keys;
  const whole: Readonly<Record<string, More>> = {
    exclusive: { canonicalization: 'exclusive' },
    policy: { policy: POLICY },
    inclusive: { canonicalization: 'inclusive' },
    'leave-room': { leaveRoom: true },
    'leave-room-B-T': { leaveRoom: true, stamp },
    'in-an-element': { placedIn: { id: 'v' } },
    element: { element: { id: 'n1' } },
    'element-inclusive': { element: { id: 'n1' }, canonicalization: 'inclusive' },
    'element-B-T': { element: { id: 'n1' }, stamp },
    'element-leave-room': { element: { id: 'n2' }, leaveRoom: true },
    'element-by-path': {
      element: { path: '/n:lote/n:nota[2]', namespaces: { n: 'http://teste.br/nf' } },
    },
    'beside-the-element': { element: { id: 'n1' }, placedIn: { path: '/*' } },
  };
  for (const [what, more] of Object.entries(whole)) await add(sign(BATCH, ana, more), what);
  const apart = await sign(DEGREE, ana, { element: { id: 'Dip1' } });
  const parts = await add(sign(apart, bia, { element: { id: 'Reg1' }, stamp }), 'two-elements');
  await add(sign(parts, company), 'two-elements-then-whole');
  const room = { leaveRoom: true };
  await add(sign(await sign(DEGREE, ana, room), bia, room), 'cosigned');
  await add(sign(await sign(DEGREE, ana, { ...room, stamp }), bia, { ...room, stamp }), 'cosigned-B-T');
  return files;
}
