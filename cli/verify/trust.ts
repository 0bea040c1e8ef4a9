import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDataDir } from '../../infra/local/flags.ts';
import { needFile } from '../../infra/named-file.ts';
import { guardedFetch } from '../../shared/net/guarded.ts';
import { type Certificate, CertificateMalformed } from '../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../shared/pki/certificates-in.ts';
import { memoryCache } from '../../shared/pki/revocation/cache/cache.ts';
import { onlineSource } from '../../shared/pki/revocation/online-source.ts';
import type { RevocationSource } from '../../shared/pki/revocation/source.ts';
import { isLocal } from '../../shared/settings/names.ts';

const HOUSE = join(import.meta.dirname, '../..');
// The data folder of the engine, wherever this is called from.
const sandboxRoot = (): string => join(process.env.Local__DataDir ?? defaultDataDir(HOUSE), 'pki/root.crt');

/** For one list or response, retries included. */
const FETCH_TIMEOUT_MS = 10_000;

/** The roots in these files; the sandbox's where none is named, or none at all where there is no sandbox. */
export function anchorsIn(files: readonly string[]): readonly Certificate[] {
  const named = files.length > 0 ? files : [sandboxRoot()].filter((file) => existsSync(file));
  return named.flatMap(anchorsOf);
}

function anchorsOf(file: string): Certificate[] {
  needFile(file, { option: '--trust' });
  try {
    const found = readCertificates(readFileSync(file));
    if (found.length > 0) return found;
  } catch (error) {
    if (!(error instanceof CertificateMalformed)) throw error;
  }
  throw new Error(
    `--trust ${file} cannot be read: it holds no certificate in PEM or DER, and no bundle of them (.p7b).`,
  );
}

/** Lists, responses and issuers from where certificates say they are. On the local stage that may be this machine. */
export const published = (): RevocationSource =>
  onlineSource({
    fetch: guardedFetch,
    cache: memoryCache(),
    timeoutMs: FETCH_TIMEOUT_MS,
    allowPrivateAddresses: isLocal(),
  });
