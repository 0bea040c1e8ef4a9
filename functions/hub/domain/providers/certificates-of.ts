import * as z from 'zod';
import type { Certificate } from '../../../../shared/pki/certificate/certificate.ts';
import { callProvider } from './call-provider.ts';
import type { Provider } from './provider.ts';
import { certificateIn } from './read-certificate.ts';
import { requireShape, unreadable } from './shaped.ts';

/** A certificate whose key a provider holds. */
export type HeldCertificate = {
  /** The provider's own name for it; where it gives none, the certificate's fingerprint. */
  readonly alias: string;
  readonly certificate: Certificate;
};

// A holder has a handful.
const MAX_CERTIFICATES = 100;

const Listed = z.object({
  certificates: z
    .array(z.object({ alias: z.string().max(1_000).nullish(), certificate: z.string() }))
    .max(MAX_CERTIFICATES)
    .nullish(),
});

/** The certificates of the holder who authorized this token. Throws ProviderFailure. */
export async function listCertificates(
  provider: Provider,
  accessToken: string,
): Promise<readonly HeldCertificate[]> {
  const where = { provider, operation: 'certificates' } as const;
  return callProvider(provider, {
    operation: where.operation,
    method: 'GET',
    path: '/certificate-discovery',
    bearer: accessToken,
    read: (answer) => {
      const listed = requireShape(Listed, answer, where).certificates ?? [];
      const held = listed.flatMap(({ alias, certificate: text }) => {
        const certificate = certificateIn(text);
        return certificate ? [{ alias: alias || certificate.sha256, certificate }] : [];
      });
      // One that cannot be read does not stand in the way of the others.
      if (held.length === 0 && listed.length > 0) throw unreadable(where, 'no certificate that can be read');
      return held;
    },
  });
}
