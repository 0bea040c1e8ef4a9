import { X509Certificate } from 'node:crypto';
import { AdminRefusal } from '../../../../shared/access/administration.ts';
import { readPartition } from '../../../../shared/store/partition.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { settings } from '../../settings.ts';
import { isStoreName, requirePath } from '../../storage-setting.ts';
import { SHARES_PK, type Share, sealShareSecret, shares } from './share.ts';

export type ShareRequest = Omit<Share, 'sealedSecret' | 'authority'> & {
  /** Undefined keeps the one that the share has. */
  readonly secretAccessKey: string | undefined;
  /** Certificates in PEM. Undefined: the server's certificate is of a public authority. */
  readonly authority: string | undefined;
};

// More than S3 allows: other servers have buckets with capitals and underscores.
const BUCKET = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,253}[A-Za-z0-9])?$/;
const REGION = /^[A-Za-z0-9-]{1,64}$/;
// Printable ASCII without spaces: it goes into a header.
const TOKEN = /^[!-~]{1,512}$/;

/** Adds a share, or replaces the one of that name. Throws AdminRefusal. */
export async function putShare(request: ShareRequest): Promise<{ readonly replaced: boolean }> {
  const { name, secretAccessKey, ...rest } = request;
  const facts = parseFacts(name, rest);
  return retryOnConflict(
    async () => {
      const current = await shares.get(name);
      const sealedSecret =
        secretAccessKey === undefined ? current?.sealedSecret : await sealSecret(name, secretAccessKey);
      if (sealedSecret === undefined)
        throw new AdminRefusal(
          `The share ${name} is new and needs its secret access key: --secret-file F or --secret-env NAME.`,
        );
      const share: Share = { name, ...facts, sealedSecret };
      await (current ? shares.change(current, share) : shares.create(share));
      return { replaced: current !== undefined };
    },
    { mayCreate: true },
  );
}

async function sealSecret(name: string, secretAccessKey: string): Promise<string> {
  if (TOKEN.test(secretAccessKey)) return sealShareSecret(name, secretAccessKey);
  throw new AdminRefusal('The secret access key is empty, or has spaces or letters that no key has.');
}

type Facts = Omit<ShareRequest, 'name' | 'secretAccessKey'>;

function parseFacts(name: string, facts: Facts): Omit<Share, 'name' | 'sealedSecret'> {
  const { endpoint, bucket, prefix, region, accessKeyId, authority } = facts;
  if (!isStoreName(name))
    throw new AdminRefusal(
      `"${name}" cannot be a share's name: use 1 to 40 lower-case letters, digits and inner dashes.`,
    );
  if (!BUCKET.test(bucket) || bucket.includes('..'))
    throw new AdminRefusal(`"${bucket}" is no bucket's name. Give --bucket.`);
  if (!REGION.test(region)) throw new AdminRefusal(`"${region}" is no region. Give --region.`);
  if (!TOKEN.test(accessKeyId))
    throw new AdminRefusal(`"${accessKeyId}" is no access key id. Give --access-key-id.`);
  return {
    endpoint: parseEndpoint(endpoint),
    bucket,
    prefix: parsePrefix(prefix),
    region,
    accessKeyId,
    authority: authority === undefined ? null : requireAuthority(authority),
  };
}

function parseEndpoint(text: string): string {
  const url = URL.parse(text);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === '');
  if (isPlain) return url.href.replace(/\/+$/, '');
  throw new AdminRefusal(
    `"${text}" is no address of an S3 server. Give --endpoint, for example https://s3.example.com.`,
  );
}

function parsePrefix(text: string): string {
  try {
    return requirePath(text, { mayBeEmpty: true });
  } catch (error) {
    throw new AdminRefusal(`--prefix ${(error as Error).message}.`);
  }
}

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** The certificates of the text and nothing else of it: a key in the same file is not stored. */
function requireAuthority(text: string): string {
  const certificates = text.match(PEM) ?? [];
  if (certificates.length > 0 && certificates.every(isAuthority)) return certificates.join('\n');
  throw new AdminRefusal(
    'The file of --ca-file has no certificate authority in PEM (-----BEGIN CERTIFICATE-----).',
  );
}

function isAuthority(pem: string): boolean {
  try {
    return new X509Certificate(pem).ca;
  } catch {
    return false;
  }
}

/** All shares, by name. */
export const listShares = async (): Promise<Share[]> =>
  (await readPartition('batch', SHARES_PK)).map(shares.read);

/** Removes a share with its secret. One that the settings of this process name is refused, unless forced. */
export async function removeShare(name: string, { force }: { readonly force: boolean }): Promise<void> {
  const current = await shares.get(name);
  if (!current) throw new AdminRefusal(`There is no share "${name}". See: npm run admin -- shares list`);
  const users = usersOf(name);
  if (users.length > 0 && !force)
    throw new AdminRefusal(
      `${users.join(' and ')} of the settings name${users.length === 1 ? 's' : ''} the share ${name}. Change that first, or give --force: jobs that wait for its files fail.`,
    );
  await shares.delete(current);
}

const usersOf = (name: string): string[] => [
  ...(settings['Storage:Inputs'].some(({ share }) => share === name) ? ['Storage:Inputs'] : []),
  ...(settings['Storage:Work']?.share === name ? ['Storage:Work'] : []),
];
