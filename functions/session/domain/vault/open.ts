import { createHash, type KeyObject, pbkdf2 } from 'node:crypto';
import { promisify } from 'node:util';
import { logger } from '../../../../shared/log/logger.ts';
import { BrokenPkcs12, UnsupportedPkcs12, WrongPassword } from '../../../../shared/pki/pkcs12/errors.ts';
import { openPkcs12 } from '../../../../shared/pki/pkcs12/open.ts';
import { openFile, type VaultCertificate } from './vault.ts';

const log = logger('session');

export type OpenResult =
  | { readonly kind: 'opened'; readonly privateKey: KeyObject }
  | { readonly kind: 'wrong-pin' | 'unusable' };

/** Opens a certificate of the vault. A file that no PIN opens is unusable: it does not count as a wrong PIN. */
export async function openVault(held: VaultCertificate, pin: string): Promise<OpenResult> {
  const { sha256 } = held;
  const file = await openFile(held);
  if ('problem' in file) {
    log.error(`A certificate file of the vault does not open: ${file.problem}`, { sha256 });
    return { kind: 'unusable' };
  }
  try {
    const { entries } = await openPkcs12(file.plain, pin);
    const entry = entries.find(({ certificate }) => certificate.sha256 === sha256);
    return entry ? { kind: 'opened', privateKey: entry.privateKey } : { kind: 'unusable' };
  } catch (error) {
    if (error instanceof WrongPassword) return { kind: 'wrong-pin' };
    if (error instanceof BrokenPkcs12 || error instanceof UnsupportedPkcs12) return { kind: 'unusable' };
    throw error;
  }
}

const derive = promisify(pbkdf2);
// About the cost of opening one certificate file.
const ROUNDS = 20_000;

/** Timing attack: an answer must take as long for a CPF without certificates as for a wrong PIN. */
export async function simulateOpening(pin: string): Promise<void> {
  await derive(pin, createHash('sha256').update('nobody').digest(), ROUNDS, 32, 'sha256');
}
