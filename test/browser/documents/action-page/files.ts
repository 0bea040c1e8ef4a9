import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import type { GivenFile } from '../../platform.ts';

export const ANA = '52998224725';
export const RUI = '47363361886';

export const signerOf = (identifier: string, more: object = {}) => ({
  type: 'Signer',
  user: { name: `Signer ${identifier}`, identifier },
  ...more,
});
export const approver = (name: string, more: object = {}) => ({
  type: 'Approver',
  user: { name, email: `${name.toLowerCase()}@example.com` },
  ...more,
});

const own = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => Uint8Array.from(bytes);

export const pdf = async (): Promise<GivenFile> => ({
  bytes: own(await plainPdf('table')),
  name: 'Contrato.pdf',
  type: 'application/pdf',
});
export const text = (): GivenFile => ({
  bytes: own(Buffer.from('olá, mundo\n')),
  name: 'Nota.txt',
  type: 'text/plain',
});
export const xml = (): GivenFile => ({
  bytes: own(Buffer.from('<?xml version="1.0"?><nota xmlns="urn:x"><valor>10</valor></nota>')),
  name: 'Nota.xml',
  type: 'application/xml',
});
