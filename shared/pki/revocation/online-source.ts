import { randomBytes } from 'node:crypto';
import type { GuardedFetch } from '../../net/request.ts';
import type { Certificate } from '../certificate/certificate.ts';
import { readCertificates } from '../certificates-in.ts';
import { pemBlocks } from '../pem.ts';
import type { RevocationCache } from './cache/cache.ts';
import { createReadThrough, fetchBytes, type Resource } from './cache/read-through.ts';
import { type Crl, parseCrl } from './crl/crl.ts';
import { acceptsNonce, ocspRequest } from './ocsp/request.ts';
import { type OcspResponse, parseOcspResponse } from './ocsp/response.ts';
import type { FetchResult, RevocationSource } from './source.ts';

export type OnlineSourceOptions = {
  readonly fetch: GuardedFetch;
  readonly cache: RevocationCache;
  /** Limit for one piece of data, retries included. */
  readonly timeoutMs: number;
  readonly allowPrivateAddresses?: boolean | undefined;
  readonly now?: () => number;
  /** Called when the cache fails; judging continues without it. */
  readonly onCacheFailure?: (error: unknown) => void;
};

// The largest CRLs of ICP-Brasil have a few megabytes.
const MAX_CRL_BYTES = 32_000_000;
const MAX_OCSP_BYTES = 100_000;
const MAX_BUNDLE_BYTES = 2_000_000;

// A certificate names two or three. Request amplification: more are there to make Sinete call strangers.
const MAX_ADDRESSES = 4;

const NONCE_BYTES = 16;
const ISSUERS_LAST_MS = 24 * 3_600_000;

/**
 * Fetches CRLs, OCSP responses and issuers' certificates from the addresses in certificates, through the guarded
 * connector, and caches them. Use one per process: concurrent requests for the same data share one fetch.
 * @example const source = onlineSource({ fetch: guardedFetch, cache: memoryCache(), timeoutMs: 5_000 });
 */
export function onlineSource(options: OnlineSourceOptions): RevocationSource {
  const { fetch, cache, timeoutMs, allowPrivateAddresses, now = Date.now } = options;
  const { onCacheFailure = () => undefined } = options;
  const readThrough = createReadThrough({ cache, now, onCacheFailure });
  const readCrl = readOnce((bytes) => parseCrl(decodePem(bytes)));
  const readOcsp = readOnce(parseOcspResponse);
  type Call = { maxBytes: number; signal: AbortSignal | undefined; body?: Buffer };
  const call = (url: string, { signal, body, maxBytes }: Call): Promise<Buffer> =>
    fetchBytes(
      fetch,
      {
        url,
        maxBytes,
        timeoutMs,
        allowPrivateAddresses,
        ...(signal && { signal }),
        ...(body && { body, method: 'POST', headers: { 'content-type': 'application/ocsp-request' } }),
      },
      now,
    );

  return {
    crl: ({ addresses, isAuthentic, signal }) =>
      fetchFirst(addresses, (url) => {
        const read = () => call(url, { maxBytes: MAX_CRL_BYTES, signal });
        return readThrough<Crl>(`crl ${url}`, {
          fetch: read,
          read: readCrl,
          dates: (crl) => crl,
          isAuthentic,
        });
      }),

    ocsp: ({ addresses, certificate, issuer, isAuthentic, signal }) =>
      fetchFirst(addresses, (url) => {
        const nonce = randomBytes(NONCE_BYTES);
        const body = ocspRequest(certificate, issuer, nonce);
        const resource: Resource<OcspResponse> = {
          fetch: () => call(url, { maxBytes: MAX_OCSP_BYTES, signal, body }),
          read: readOcsp,
          dates: (response) => ocspDates(response, certificate),
          isAuthentic: async (response) => acceptsNonce(response, nonce) && (await isAuthentic(response)),
        };
        return readThrough(`ocsp ${url} ${issuer.sha256} ${certificate.serialHex}`, resource);
      }),

    issuers: ({ addresses, signal }) =>
      fetchFirst(addresses, (url) => {
        const resource: Resource<readonly Certificate[]> = {
          fetch: () => call(url, { maxBytes: MAX_BUNDLE_BYTES, signal }),
          read: readCertificates,
          dates: () => ({ thisUpdateMs: now(), nextUpdateMs: now() + ISSUERS_LAST_MS }),
          // The path building shows whether they issued anything.
          isAuthentic: (found) => found.length > 0,
        };
        return readThrough(`issuers ${url}`, resource);
      }),
  };
}

/** Reads bytes that the cache has in memory once. */
function readOnce<T extends object>(read: (bytes: Buffer) => T): (bytes: Buffer) => T {
  const known = new WeakMap<Buffer, T>();
  return (bytes) => {
    const value = known.get(bytes) ?? read(bytes);
    known.set(bytes, value);
    return value;
  };
}

const ocspDates = ({ statuses, producedAtMs }: OcspResponse, { serialDer }: Certificate) =>
  statuses.find(({ certificateId }) => certificateId.serialDer.equals(serialDer)) ?? {
    thisUpdateMs: producedAtMs,
    nextUpdateMs: undefined,
  };

/** Tries the addresses in order until one gives current data. */
async function fetchFirst<T>(
  addresses: readonly string[],
  fetchFrom: (url: string) => Promise<FetchResult<T>>,
): Promise<FetchResult<T>> {
  const web = [...new Set(addresses)].filter((address) => /^https?:/i.test(address)).slice(0, MAX_ADDRESSES);
  const problems: string[] = [];
  let older: T | undefined;
  for (const url of web) {
    const { found, problem } = await fetchFrom(url);
    if (found && !problem) return { found };
    older ??= found;
    if (problem) problems.push(problem);
  }
  if (web.length === 0) problems.push('The certificate names no http or https address for it.');
  return { found: older, problem: problems.join(' ') };
}

// Some authorities publish PEM, although RFC 5280 (4.2.1.13) requires DER.
const decodePem = (bytes: Buffer): Buffer =>
  bytes.subarray(0, 11).toString('latin1') === '-----BEGIN '
    ? (pemBlocks(bytes.toString('latin1'))[0]?.bytes ?? bytes)
    : bytes;
