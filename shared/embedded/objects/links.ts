// Links to put or get one object without credentials, for some time: the embedded store's presigned URLs.
//
//   <Stores:LinksUrl>/<bucket>/<key>?issued=<seconds>&expires=<seconds>&<what is bound>&signature=<HMAC-SHA-256>
//
// The method, the place and every parameter are signed. The secret is the folder's own.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { commonSettings } from '../../settings/common.ts';
import type { Catalog } from './catalog.ts';
import { accessDenied, wrongSignature } from './errors.ts';

type Place = { readonly bucket: string; readonly key: string };
export type UploadLink = Place & {
  readonly contentType: string;
  readonly length: number;
  readonly expiresSeconds: number;
};
export type DownloadLink = Place & { readonly disposition: string; readonly expiresSeconds: number };

export type Links = {
  /** A link to put an object of this type and length. */
  readonly upload: (link: UploadLink) => string;
  /** A link to get an object under the name in its disposition. */
  readonly download: (link: DownloadLink) => string;
};

/** What a link is for, of which the request is to be. */
export type Terms = {
  readonly type: string;
  readonly length: number;
  readonly disposition: string | undefined;
};
type Method = 'PUT' | 'GET';

export type SignedLinks = Links & {
  /** Throws unless these parameters were signed for the place, and their time is not over. */
  readonly verify: (method: Method, place: Place, parameters: URLSearchParams) => Terms;
};

export function createLinks(catalog: Catalog, now: () => number): SignedLinks {
  let secret: Uint8Array | undefined;
  const sign = (method: Method, { bucket, key }: Place, parameters: URLSearchParams): Buffer => {
    secret ??= catalog.secret();
    return createHmac('sha256', secret)
      .update(JSON.stringify([method, bucket, key, ...parameters]))
      .digest();
  };

  const make = (
    method: Method,
    place: Place,
    expiresSeconds: number,
    bound: Record<string, string>,
  ): string => {
    const parameters = new URLSearchParams({
      issued: String(Math.floor(now() / 1_000)),
      expires: String(expiresSeconds),
      ...bound,
    });
    parameters.append('signature', sign(method, place, parameters).toString('base64url'));
    const path = [place.bucket, ...place.key.split('/')].map(encodeURIComponent).join('/');
    return `${requireLinksUrl()}/${path}?${parameters}`;
  };

  return {
    upload: ({ contentType, length, expiresSeconds, ...place }) =>
      make('PUT', place, expiresSeconds, { 'content-type': contentType, 'content-length': String(length) }),
    download: ({ disposition, expiresSeconds, ...place }) =>
      make('GET', place, expiresSeconds, { 'response-content-disposition': disposition }),
    verify: (method, place, given) => {
      const parameters = new URLSearchParams(given);
      const offered = Buffer.from(parameters.get('signature') ?? '', 'base64url');
      parameters.delete('signature');
      const signature = sign(method, place, parameters);
      if (offered.length !== signature.length || !timingSafeEqual(offered, signature)) throw wrongSignature();
      const endsAtMs = (Number(parameters.get('issued')) + Number(parameters.get('expires'))) * 1_000;
      if (!(now() < endsAtMs)) throw accessDenied('Request has expired');
      return {
        type: parameters.get('content-type') ?? '',
        length: Number(parameters.get('content-length')),
        disposition: parameters.get('response-content-disposition') ?? undefined,
      };
    },
  };
}

function requireLinksUrl(): string {
  const url = commonSettings['Stores:LinksUrl'];
  if (url === undefined)
    throw new Error(
      'Setting Stores:LinksUrl (Stores__LinksUrl) is not set: links to files would lead nowhere.',
    );
  return url;
}

/** The bucket and the key in the path of a request, below the path of Stores:LinksUrl or without it. */
export function placeOf(path: string): Place | undefined {
  const base = commonSettings['Stores:LinksUrl'];
  const root = base === undefined ? '/' : `${new URL(base).pathname.replace(/\/+$/, '')}/`;
  const below = path.startsWith(root) ? path.slice(root.length) : path.slice(1);
  const [, bucket = '', key = ''] = /^([^/]+)\/(.+)$/.exec(below) ?? [];
  try {
    return bucket === '' ? undefined : { bucket: decodeURIComponent(bucket), key: decodeURIComponent(key) };
  } catch {
    return undefined;
  }
}
