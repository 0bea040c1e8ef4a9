import { writePem } from '../../../../shared/pki/pem.ts';
import { errors } from '../../errors.ts';
import { type SandboxAuthority, signerOf } from './authority.ts';
import { buildCrl } from './issuing/crl.ts';

/** What anyone may fetch of the authority, by the file's name. */
export type PublishedFile = { readonly bytes: Buffer; readonly mediaType: string };

/** Those whose certificates are no holder's. */
export const PUBLIC_MEMBERS = ['root', 'intermediate', 'unreachable', 'untrusted', 'ocsp', 'tsa'];
// Not that of the authority out of reach, which is why it is.
const LISTS = ['root', 'intermediate', 'untrusted'];

/**
 * A certificate (`root.crt` in DER as authorityInfoAccess asks, `root.pem`) or a list signed at this moment (`root.crl`).
 * @example const { bytes, mediaType } = publishedFile(await findAuthority(), 'intermediate.crl', Date.now());
 */
export function publishedFile(authority: SandboxAuthority, file: string, nowMs: number): PublishedFile {
  const [, name = '', kind = ''] = /^([a-z]+)\.(crt|pem|crl)$/.exec(file) ?? [];
  if (!(kind === 'crl' ? LISTS : PUBLIC_MEMBERS).includes(name)) throw errors.refuse('EndpointNotFound');
  if (kind === 'crl') return { bytes: listOf(authority, name, nowMs), mediaType: 'application/pkix-crl' };
  const { der } = signerOf(authority, name).certificate;
  if (kind === 'crt') return { bytes: der, mediaType: 'application/pkix-cert' };
  return { bytes: Buffer.from(writePem('CERTIFICATE', der)), mediaType: 'application/x-pem-file' };
}

function listOf(authority: SandboxAuthority, name: string, nowMs: number): Buffer {
  const revoked = authority.issued.filter(
    ({ issuer, revokedAtMs }) => issuer === name && revokedAtMs !== undefined,
  );
  return buildCrl(signerOf(authority, name), revoked, nowMs);
}
