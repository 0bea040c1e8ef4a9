import { writePem } from '../../../../shared/pki/pem.ts';
import { errors } from '../../errors.ts';
import { type SandboxAuthority, signerOf } from './authority.ts';
import { issueCrl } from './issuing/crl.ts';

/** A file of the authority that anyone may fetch. */
export type PublishedFile = { readonly bytes: Buffer; readonly mediaType: string };

/** Members that are no holders. */
export const PUBLIC_MEMBERS = ['root', 'intermediate', 'unreachable', 'untrusted', 'ocsp', 'tsa'];
// The authority out of reach publishes none: that puts it out of reach.
const LISTS = ['root', 'intermediate', 'untrusted'];

/**
 * A certificate (`root.crt` in DER as authorityInfoAccess asks, `root.pem`) or a list signed at this moment (`root.crl`).
 * @example const { bytes, mediaType } = readPublishedFile(await findAuthority(), 'intermediate.crl', Date.now());
 */
export function readPublishedFile(authority: SandboxAuthority, file: string, nowMs: number): PublishedFile {
  const [, name = '', kind = ''] = /^([a-z]+)\.(crt|pem|crl)$/.exec(file) ?? [];
  if (!(kind === 'crl' ? LISTS : PUBLIC_MEMBERS).includes(name)) throw errors.refuse('EndpointNotFound');
  if (kind === 'crl') return { bytes: listOf(authority, name, nowMs), mediaType: 'application/pkix-crl' };
  const { der } = signerOf(authority, name).certificate;
  if (kind === 'crt') return { bytes: der, mediaType: 'application/pkix-cert' };
  return { bytes: Buffer.from(writePem('CERTIFICATE', der)), mediaType: 'application/x-pem-file' };
}

// Long enough to go on while the engine is stopped for a night.
const LIST_VALID_FOR_MS = 24 * 3_600_000;

const listOf = (authority: SandboxAuthority, name: string, nowMs: number): Buffer =>
  issueCrl(signerOf(authority, name), {
    revoked: authority.issued.flatMap(({ issuer, serial, revokedAtMs, reason }) =>
      issuer === name && revokedAtMs !== undefined ? [{ serial, revokedAtMs, reason }] : [],
    ),
    thisUpdateMs: nowMs,
    nextUpdateMs: nowMs + LIST_VALID_FOR_MS,
    // The time grows, and a CRL number must do no more.
    number: Math.floor(nowMs / 1000),
  });
