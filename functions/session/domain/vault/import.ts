import { icpBrasilIdentity } from '../../../../shared/pki/icp-brasil/icp-brasil.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { checkKey } from '../../../../shared/signing/key.ts';
import { vault } from './vault.ts';

export type ImportedCertificate = { readonly cpf: string; readonly sha256: string; readonly subject: string };

/** Why a certificate file cannot be kept, in words for the operator. */
export class NotImportable extends Error {
  override readonly name = 'NotImportable';
}

// An item of the table has 400 KB, and a certificate file a hundredth of that.
const MAX_BYTES = 200_000;

/**
 * Takes a PKCS#12 file into the vault, one entry for each certificate with a key and a CPF. The password proves that the
 * file opens and is kept nowhere.
 */
export async function importPkcs12(
  pkcs12: Uint8Array,
  password: string,
  nowMs = Date.now(),
): Promise<ImportedCertificate[]> {
  if (pkcs12.length > MAX_BYTES)
    throw new NotImportable(
      `A certificate file of ${pkcs12.length} bytes is none: at most ${MAX_BYTES} are kept.`,
    );
  const { entries } = await openPkcs12(pkcs12, password);
  const found = entries.map(({ privateKey, certificate }) => {
    checkKey(privateKey);
    const { cpf } = icpBrasilIdentity(certificate);
    if (!cpf) throw new NotImportable(`The certificate of ${certificate.subject.text} names no CPF.`);
    return { cpf, certificate };
  });
  if (found.length === 0) throw new NotImportable('The file holds no certificate with its private key.');
  for (const { cpf, certificate } of found) {
    const { sha256, der } = certificate;
    await vault.put({ cpf, sha256, der, pkcs12, importedAtMs: nowMs });
  }
  return found.map(({ cpf, certificate: { sha256, subject } }) => ({ cpf, sha256, subject: subject.text }));
}
