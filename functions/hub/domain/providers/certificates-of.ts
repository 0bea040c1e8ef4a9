import * as z from 'zod';
import type { Caller } from '../../../../shared/access/caller.ts';
import { unlessThrown } from '../../../../shared/errors/expected.ts';
import {
  type Certificate,
  CertificateMalformed,
  parseCertificate,
} from '../../../../shared/pki/certificate/certificate.ts';
import { pemBlocks } from '../../../../shared/pki/pem.ts';
import { requireShape, unreadable } from './answer.ts';
import { callProvider } from './call-provider.ts';
import type { Provider } from './provider.ts';

/** A certificate whose key a provider holds. */
export type HeldCertificate = {
  /** The provider's own name for it; the certificate's fingerprint where the provider gives none. */
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
  caller: Pick<Caller, 'application'>,
  provider: Provider,
  accessToken: string,
  now: () => number,
): Promise<readonly HeldCertificate[]> {
  const operation = 'certificates';
  const read = (answer: unknown) => {
    const listed = requireShape(Listed, answer, { provider, operation }).certificates ?? [];
    const held = listed.flatMap(({ alias, certificate: text }) => {
      const certificate = certificateIn(text);
      return certificate ? [{ alias: alias || certificate.sha256, certificate }] : [];
    });
    // An unreadable certificate does not hide the others.
    if (held.length === 0 && listed.length > 0)
      throw unreadable({ provider, operation }, 'no certificate that can be read');
    return held;
  };
  const call = {
    operation,
    method: 'GET',
    path: '/certificate-discovery',
    bearer: accessToken,
    read,
  } as const;
  return callProvider(caller, provider, call, now);
}

/** The certificate in a text: PEM or bare base64, in one line or several, or with its line breaks escaped. */
function certificateIn(text: string): Certificate | undefined {
  const plain = text.replace(/\\r|\\n/g, '\n');
  const [block] = pemBlocks(plain);
  const bytes = block?.bytes ?? bareBytes(plain);
  if (!bytes) return undefined;
  return unlessThrown(CertificateMalformed, () => parseCertificate(bytes));
}

function bareBytes(text: string): Buffer | undefined {
  const bare = text.replace(/\s+/g, '');
  return /^[\w+/-]+={0,2}$/.test(bare) ? Buffer.from(bare, 'base64') : undefined;
}
