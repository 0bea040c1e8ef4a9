import { readFileSync } from 'node:fs';
import { type Imported, importPkcs12, NotImportable } from '../../functions/session/domain/vault/import.ts';
import { certificateOf, vault, vaultOf } from '../../functions/session/domain/vault/vault.ts';
import { verdicts } from '../../functions/session/domain/verdicts.ts';
import { AdminRefusal } from '../../shared/access/administration.ts';
import { reasonOf } from '../../shared/command-line/reason.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../shared/pki/pkcs12/errors.ts';
import { SigningRefused } from '../../shared/signing/errors.ts';
import { type PinSource, readPin } from '../common/pin.ts';
import { cpfIn } from './cpf.ts';

const REFUSALS = [WrongPassword, BrokenPkcs12, UnsupportedPkcs12, NotImportable, SigningRefused];

/** Takes a certificate file into the vault. Its password proves that it opens, and is kept nowhere. */
export async function take(file: string, pin: PinSource): Promise<string> {
  const bytes = contentOf(file);
  const imported = await importPkcs12(bytes, await readPin(pin, file)).catch((error: unknown) => {
    throw REFUSALS.some((kind) => error instanceof kind)
      ? new AdminRefusal(`${file}: ${(error as Error).message}`)
      : error;
  });
  return imported.map(importedLine).join('\n');
}

const importedLine = ({ cpf, sha256, subject }: Imported): string =>
  `The vault has ${subject} for the CPF ${cpf}, as ${sha256.slice(0, 16)}. Its password is the PIN.`;

function contentOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new AdminRefusal(`${file} cannot be read: ${reasonOf(error)}`);
  }
}

export async function list(text: string): Promise<string> {
  const held = await vaultOf(cpfIn(text));
  const lines = await Promise.all(
    held.map(async (each) => {
      const certificate = certificateOf(each);
      const verdict = await verdicts.get(each.sha256);
      const until = certificate ? new Date(certificate.notAfterMs).toISOString().slice(0, 10) : 'unknown';
      return `${each.sha256.slice(0, 16)}  ${certificate?.subject.text ?? 'no certificate data'}  until ${until}  ${verdict?.status ?? 'not judged yet'}`;
    }),
  );
  return lines.length > 0 ? lines.join('\n') : `The vault has no certificate for ${text}.`;
}

/** A session that is bound to it cannot sign any more. */
export async function remove(text: string, start: string): Promise<string> {
  const held = await vaultOf(cpfIn(text));
  const [found, ...others] = start === '' ? [] : held.filter(({ sha256 }) => sha256.startsWith(start));
  if (!found || others.length > 0)
    throw new AdminRefusal(`Name one certificate of ${text}, as vault list ${text} shows it.`);
  await vault.delete(found);
  return `The vault has ${found.sha256.slice(0, 16)} of ${text} no more.`;
}
