import { S3Client } from '@aws-sdk/client-s3';
import { type SealKey, seal, unseal } from '../../../../shared/access/seal.ts';
import { processWide } from '../../../../shared/async/process-wide.ts';
import type { Bucket } from '../../../../shared/files/client.ts';
import { withoutLog } from '../../../../shared/net/without-log.ts';
import { commonSettings } from '../../../../shared/settings/common.ts';
import { cached } from '../../../../shared/store/cached.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { settings } from '../../settings.ts';

/** A bucket of another S3 server, and how to reach it. */
export type Share = {
  readonly name: string;
  readonly endpoint: string;
  readonly bucket: string;
  /** The folder of the bucket that the share is. Empty for the whole bucket. */
  readonly prefix: string;
  readonly region: string;
  readonly accessKeyId: string;
  /** It opens with the setting Profiles:SealingKey, and only for this name. */
  readonly sealedSecret: string;
  /** The certificate authority of the server in PEM, where it is not a public one. */
  readonly authority: string | null;
};

export const SHARES_PK = 'SHARES';

// One partition: there are tens at most, and a list reads them all.
export const shares = collection<Share, string>({
  service: 'batch',
  name: 'share',
  id: ({ name }) => name,
  key: (name) => ({ pk: SHARES_PK, sk: `SHARE#${name}` }),
});

/** A share cannot be used. The message is for operators. */
export class ShareUnusable extends Error {
  override readonly name = 'ShareUnusable';
}

const sealKeyOf = (name: string): SealKey => ({
  secret: Buffer.from(settings['Profiles:SealingKey'], 'base64'),
  about: JSON.stringify(['batch share', name]),
});

/** The secret of a share in the form in which the store keeps it. */
export const sealShareSecret = (name: string, secretAccessKey: string): string =>
  seal(sealKeyOf(name), secretAccessKey);

const recent = cached<Stored<Share>>({
  name: 'batch.shares',
  read: (name) => shares.get(name),
  ttlMs: () => commonSettings['Access:CacheSeconds'] * 1000,
});

/** Forgets what this process has read of a share that it has changed. */
export const forgetShare = (name: string): void => recent.drop(name);

type Connected = { readonly version: string; readonly client: S3Client };
const connected = processWide('batch.shares', () => new Map<string, Connected>());

/**
 * The bucket of a share, with a client that is made once per process and version. Throws ShareUnusable.
 * @example const { bucket, prefix } = await openShare('acme');
 */
export async function openShare(name: string): Promise<{ readonly bucket: Bucket; readonly prefix: string }> {
  const share = await recent.get(name);
  if (!share)
    throw new ShareUnusable(`There is no share ${name}. Add it: npm run admin -- shares add ${name} ...`);
  const known = connected.get(name);
  const client = known?.version === share.version ? known.client : connect(share);
  if (client !== known?.client) {
    known?.client.destroy();
    connected.set(name, { version: share.version, client });
  }
  return { bucket: { name: share.bucket, client }, prefix: share.prefix };
}

// A share that hangs is given up within a minute, so that a scan ends before its next one.
const CONNECT_WITHIN_MS = 5_000;
const ANSWER_WITHIN_MS = 20_000;
const MAX_ATTEMPTS = 2;

function connect({ name, endpoint, region, accessKeyId, sealedSecret, authority }: Share): S3Client {
  const secretAccessKey = unseal(sealKeyOf(name), sealedSecret);
  if (secretAccessKey === undefined)
    throw new ShareUnusable(
      `The secret of the share ${name} does not open: Profiles:SealingKey is another one. Add the share again.`,
    );
  return withoutLog(
    new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Few servers other than AWS give each bucket a host name, or take checksums that nobody requires.
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: {
        connectionTimeout: CONNECT_WITHIN_MS,
        requestTimeout: ANSWER_WITHIN_MS,
        throwOnRequestTimeout: true,
        ...(authority !== null && { httpsAgent: { ca: authority } }),
      },
    }),
  );
}
