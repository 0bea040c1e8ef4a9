import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { checkKey } from '../../../../shared/signing/key.ts';
import { sealFile, vault } from './vault.ts';

export type ImportedCertificate = { readonly cpf: string; readonly sha256: string; readonly subject: string };

/** The file cannot go into the vault. The message is for the operator. */
export class NotImportable extends Error {
  override readonly name = 'NotImportable';
}

// An item of the table may have 400 KB. A certificate file has about 4 KB.
const MAX_BYTES = 200_000;

// They are in the sealed file too. ICP-Brasil has two or three authorities above a holder, of 2 KB each.
const MAX_CHAIN_BYTES = 50_000;

/**
 * Stores a PKCS#12 file in the vault, one entry for each certificate with a key and a CPF. The password proves that the
 * file opens and is not kept.
 */
export async function importPkcs12(
  pkcs12: Uint8Array,
  password: string,
  nowMs: number,
): Promise<ImportedCertificate[]> {
  if (pkcs12.length > MAX_BYTES)
    throw new NotImportable(
      `The file has ${pkcs12.length} bytes. A certificate file has at most ${MAX_BYTES}.`,
    );
  const { entries } = await openPkcs12(pkcs12, password);
  const found = entries.map(({ privateKey, certificate, chain }) => {
    checkKey(privateKey);
    const { cpf } = icpBrasilIdentity(certificate);
    if (!cpf) throw new NotImportable(`The certificate of ${certificate.subject.text} names no CPF.`);
    return { cpf, certificate, chain: storedChain(chain) };
  });
  if (found.length === 0) throw new NotImportable('The file holds no certificate with its private key.');
  for (const { cpf, certificate, chain } of found) {
    const { sha256, der } = certificate;
    const sealed = await sealFile({ cpf, sha256 }, pkcs12);
    await vault.put({ cpf, sha256, der, chain, ...sealed, importedAtMs: nowMs });
  }
  return found.map(({ cpf, certificate: { sha256, subject } }) => ({ cpf, sha256, subject: subject.text }));
}

/** The chain as far as it fits: its issuer first, and then the next. */
function storedChain(chain: readonly Certificate[]): Buffer[] {
  let left = MAX_CHAIN_BYTES;
  const ders = chain.map(({ der }) => der);
  const end = ders.findIndex(({ length }) => {
    left -= length;
    return left < 0;
  });
  return end < 0 ? ders : ders.slice(0, end);
}
