import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultDataDir } from '../../infra/local/engine/flags.ts';
import { guardedFetch } from '../../shared/net/guarded.ts';
import { type Certificate, CertificateMalformed } from '../../shared/pki/certificate/certificate.ts';
import { readCertificates } from '../../shared/pki/certificates-in.ts';
import { memoryCache } from '../../shared/pki/revocation/cache/cache.ts';
import { onlineSource } from '../../shared/pki/revocation/online-source.ts';
import type { RevocationSource } from '../../shared/pki/revocation/source.ts';
import { isLocal } from '../../shared/settings/names.ts';
import { requireFile } from './named-file.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
// In the data folder of the engine, whatever folder this runs in.
const sandboxRoot = (): string =>
  join(process.env.Local__DataDir ?? defaultDataDir(REPOSITORY), 'pki/root.crt');

/** For one CRL or OCSP response, retries included. */
const FETCH_TIMEOUT_MS = 10_000;

/** Reads the roots in these files; the sandbox's root where none is named, if there is a sandbox. */
export function readAnchors(files: readonly string[]): readonly Certificate[] {
  const named = files.length > 0 ? files : [sandboxRoot()].filter((file) => existsSync(file));
  return named.flatMap(anchorsInFile);
}

function anchorsInFile(file: string): Certificate[] {
  requireFile(file, { option: '--trust' });
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

/** Fetches CRLs, OCSP responses and issuers from the addresses in certificates. The local stage allows this machine. */
export const onlineRevocation = (): RevocationSource =>
  onlineSource({
    fetch: guardedFetch,
    cache: memoryCache(),
    timeoutMs: FETCH_TIMEOUT_MS,
    allowPrivateAddresses: isLocal(),
  });
