import { readFileSync } from 'node:fs';
import { type Certificate, CertificateMalformed } from './certificate/certificate.ts';
import { readCertificates } from './certificates-in.ts';
import { certificatesFromPem } from './pem.ts';

/** The trust anchors cannot be loaded. The message names the file and the reason. */
export class TrustAnchorsUnusable extends Error {
  override readonly name = 'TrustAnchorsUnusable';
}

const loaded = new Map<string, readonly Certificate[]>();

/**
 * Loads the trusted roots of a deployment from a setting: PEM text, or files (PEM, DER or PKCS#7 bundles) separated
 * by commas. Files are read once per process. Throws TrustAnchorsUnusable.
 * @example const anchors = trustAnchors(settings['Certificates:TrustAnchors']);
 */
export function trustAnchors(setting: string): readonly Certificate[] {
  const known = loaded.get(setting);
  if (known) return known;
  const anchors = setting.includes('-----BEGIN')
    ? readPemAnchors(setting)
    : splitFileNames(setting).flatMap(readAnchorFile);
  if (anchors.length === 0)
    throw new TrustAnchorsUnusable('No trust anchor is configured. Name the files with the roots to trust.');
  loaded.set(setting, anchors);
  return anchors;
}

const splitFileNames = (setting: string): string[] =>
  setting
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

function readAnchorFile(file: string): Certificate[] {
  const found = wrapReadError(`The trust anchors in ${file}`, () => readCertificates(readFileSync(file)));
  if (found.length === 0)
    throw new TrustAnchorsUnusable(`The file ${file} contains no certificate to trust.`);
  return found;
}

const readPemAnchors = (pem: string): Certificate[] =>
  wrapReadError('The trust anchors in PEM', () => certificatesFromPem(pem));

function wrapReadError<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    const isFile = (cause as { code?: unknown }).code !== undefined;
    if (!isFile && !(cause instanceof CertificateMalformed)) throw cause;
    throw new TrustAnchorsUnusable(`${what} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
