import { writePem } from '../../../../shared/pki/pem.ts';
import { findAuthority, type SandboxAuthority, signerOf } from '../../authority/domain/authority.ts';
import { providerErrors } from '../errors.ts';
import type { SandboxProvider } from './provider.ts';
import type { Token } from './tokens.ts';

/**
 * The holder's certificates as this provider writes them, all or the one by an alias.
 * @example await listHeldCertificates(provider, await bearerOf(provider, authorization, nowMs), query.certificate_alias)
 */
export async function listHeldCertificates(provider: SandboxProvider, { scope }: Token, alias?: string) {
  if (scope === 'application') throw providerErrors.refuse('insufficient_scope');
  const aliases = provider.holder.aliases.filter((each) => alias === undefined || each === alias);
  if (aliases.length === 0) return { status: 'N' as const };
  const authority = await findAuthority();
  const certificates = aliases.map((each) => ({
    alias: each,
    certificate: formatCertificate(authority, provider, each),
  }));
  return { status: 'S' as const, certificates };
}

function formatCertificate(
  authority: SandboxAuthority,
  { certificateForm }: SandboxProvider,
  alias: string,
): string {
  const { der } = signerOf(authority, alias).certificate;
  return certificateForm === 'pem' ? writePem('CERTIFICATE', der) : der.toString('base64');
}
