import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { guardedFetch } from '../../shared/net/guarded.ts';
import type { Certificate } from '../../shared/pki/certificate.ts';
import { certificatesIn } from '../../shared/pki/path/certificates-in.ts';
import { memoryCache } from '../../shared/pki/revocation/cache-memory.ts';
import { onlineSource } from '../../shared/pki/revocation/online-source.ts';
import type { RevocationSource } from '../../shared/pki/revocation/source.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { reasonOf } from '../local/reason.ts';

// The data folder of the engine, as its own commands find it.
const SANDBOX_ROOT = join(process.env.Local__DataDir ?? '.local', 'pki/root.crt');

/** For one list or response, retries included. */
const FETCH_TIMEOUT_MS = 10_000;

/** The roots in these files; the sandbox's where none is named, or none at all where there is no sandbox. */
export function anchorsIn(files: readonly string[]): readonly Certificate[] {
  const named = files.length > 0 ? files : [SANDBOX_ROOT].filter((file) => existsSync(file));
  return named.flatMap(anchorsOf);
}

function anchorsOf(file: string): Certificate[] {
  try {
    const found = certificatesIn(readFileSync(file));
    if (found.length > 0) return found;
  } catch (error) {
    throw new Error(`The roots in ${file} cannot be read: ${reasonOf(error)}`);
  }
  throw new Error(`${file} holds no certificate to trust.`);
}

/** Lists, responses and issuers from where certificates say they are. On the local stage that may be this machine. */
export const published = (): RevocationSource =>
  onlineSource({
    fetch: guardedFetch,
    cache: memoryCache(),
    timeoutMs: FETCH_TIMEOUT_MS,
    allowPrivateAddresses: isLocal(),
  });
