import { openPkcs12 } from '../../../shared/pki/pkcs12/open.ts';
import { certificateBag, fileOf, keyBag } from '../pki/pkcs12/tools.ts';
import { pki } from '../signing/cms-fixtures.ts';
import { hostileDer } from './der-shapes.ts';

const { privateKey, certificate, chain } = pki.holder();
const [issuer = certificate] = chain;
const file = fileOf([
  keyBag(privateKey.export({ format: 'der', type: 'pkcs8' })),
  certificateBag(certificate),
  certificateBag(issuer),
]);

export const honest = (): Buffer => file;
export const cases = () => hostileDer(file, 190_000, 13); // larger ones are refused by their size

export const read = (bytes: Buffer): Promise<unknown> => openPkcs12(bytes, '');
