import { S3Client } from '@aws-sdk/client-s3';
import { processWide } from '../../../../shared/async/process-wide.ts';
import type { Bucket } from '../../../../shared/files/client.ts';
import { type Opened, openStored, sealStored } from '../../../../shared/keyring/stored.ts';
import { withoutLog } from '../../../../shared/net/without-log.ts';
import { collection, type Stored } from '../../../../shared/store/collection.ts';
import { readTogether } from '../../../../shared/store/group/read.ts';
import { currentTrace, traceHeaders } from '../../../../shared/trace/trace.ts';
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
  /** It opens for this name alone. */
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
  override readonly name: string = 'ShareUnusable';
}

/** Nobody has added the share, or it was removed. */
export class ShareMissing extends ShareUnusable {
  override readonly name = 'ShareMissing';
  readonly share: string;

  constructor(share: string) {
    super(`There is no share ${share}. Add it: npm run admin -- shares add ${share} ...`);
    this.share = share;
  }
}

// The share's name is sealed in: a secret that is copied to another share does not open there.
const sealedOf = (name: string) => ({ about: JSON.stringify(['batch share', name]) });

/** The secret of a share in the form in which the store keeps it. */
export const sealShareSecret = (name: string, secretAccessKey: string): Promise<string> =>
  sealStored(sealedOf(name), secretAccessKey);

/** The secret of a share, or why it does not open. */
export const openSecret = ({ name, sealedSecret }: Share): Promise<Opened> =>
  openStored(sealedOf(name), sealedSecret);

/** The record of a share as it is now, in one request with other reads of the process. Throws ShareMissing. */
export async function requireShare(name: string): Promise<Stored<Share>> {
  const share = await readTogether(shares, name);
  if (!share) throw new ShareMissing(name);
  return share;
}

export type OpenShare = { readonly bucket: Bucket; readonly prefix: string; readonly version: string };

type Connected = { readonly version: string; readonly client: S3Client };
const connected = processWide('batch.shares', () => new Map<string, Connected>());

/**
 * The bucket of a share, with a client that is made once per process and version. Throws ShareUnusable.
 * @example const { bucket, prefix } = await openShare('acme');
 */
export async function openShare(name: string): Promise<OpenShare> {
  const share = await requireShare(name);
  // A change of the limit makes another client too.
  const version = `${share.version} ${settings['Storage:ShareTimeout']}`;
  const known = connected.get(name);
  const client = known?.version === version ? known.client : await connect(share);
  // A former client is left to the calls that are under way with it. Its idle connections end by themselves.
  if (client !== known?.client) connected.set(name, { version, client });
  const bucket = { name: share.bucket, client, mayIgnoreConditions: true };
  return { bucket, prefix: share.prefix, version };
}

// Each attempt is given up after Storage:ShareTimeout, so a share that hangs holds a call for less than a minute.
const MAX_ATTEMPTS = 2;
const CONNECT_WITHIN_MS = 5_000;

async function connect(share: Share): Promise<S3Client> {
  const { name, endpoint, region, accessKeyId, authority } = share;
  const opened = await openSecret(share);
  if ('problem' in opened)
    throw new ShareUnusable(
      `The secret of the share ${name} does not open: ${opened.problem} Or add the share again.`,
    );
  const secretAccessKey = opened.plain;
  const withinMs = settings['Storage:ShareTimeout'] * 1_000;
  return carryingTrace(
    new S3Client({
      endpoint,
      region,
      credentials: { accessKeyId, secretAccessKey },
      // Few servers other than AWS give each bucket a host name, or take checksums that nobody requires.
      forcePathStyle: true,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
      // For Expect: 100-continue the SDK makes a connection that does not know the authority below, and servers that
      // ignore the header hold a body up for seconds.
      expectContinueHeader: false,
      maxAttempts: MAX_ATTEMPTS,
      requestHandler: {
        connectionTimeout: Math.min(CONNECT_WITHIN_MS, withinMs),
        requestTimeout: withinMs,
        throwOnRequestTimeout: true,
        // The request's limit ends with the first byte of the answer. This one ends a body that stalls.
        socketTimeout: withinMs,
        // Of the authorities of the system none is trusted then: the operator has named the one that counts.
        ...(authority !== null && { httpsAgent: { ca: authority } }),
      },
    }),
  );
}

/** Added after the request is signed, and so in no link that the client signs. */
function carryingTrace(client: S3Client): S3Client {
  client.middlewareStack.add(
    (next) => (args) => {
      const trace = currentTrace();
      if (trace) Object.assign((args.request as { headers: object }).headers, traceHeaders(trace));
      return next(args);
    },
    { step: 'finalizeRequest', priority: 'low', name: 'carryTrace' },
  );
  return withoutLog(client);
}
