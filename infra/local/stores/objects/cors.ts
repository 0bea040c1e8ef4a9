// Rules of a bucket for pages of other origins, as S3 keeps and applies them. fauxqs accepts their configuration and
// answers no browser. Kept in memory: they are told at every start.
import { type S3Answer, type S3Request, s3Error } from './request.ts';

type Rule = {
  readonly origins: readonly string[];
  readonly methods: readonly string[];
  readonly exposed: readonly string[];
  readonly maxAge: string | undefined;
};

/** A request of which only the head was read. */
export type Head = Pick<S3Request, 'method' | 'headers'> & { readonly url: string };
type Headers = Readonly<Record<string, string>>;

/** The rules of the buckets of one emulator. */
export function bucketCors() {
  const ofBucket = new Map<string, readonly Rule[]>();

  /** Answers PutBucketCors: it takes the place of what was there. No other request has an answer. */
  const configure = ({ method, params, query, body }: S3Request): S3Answer | undefined => {
    const { bucket, '*': key } = params;
    if (method !== 'PUT' || !bucket || key || !('cors' in query)) return undefined;
    ofBucket.set(bucket, all('CORSRule', String(body)).map(readRule));
    return { status: 200, body: '' };
  };

  const ruleFor = ({ headers: { origin }, url }: Head, method: string): Rule | undefined => {
    const bucket = decodeURIComponent(url.split(/[/?]/)[1] ?? '');
    return ofBucket
      .get(bucket)
      ?.find(({ origins, methods }) => origins.includes(origin ?? '') && methods.includes(method));
  };

  /** Answers the question of a browser whether a page may send a request. */
  const preflight = (head: Head): (S3Answer & { readonly headers: Headers }) | undefined => {
    const { method, headers } = head;
    const asked = headers['access-control-request-method'];
    if (method !== 'OPTIONS' || !headers.origin || !asked) return undefined;
    const rule = ruleFor(head, asked);
    if (!rule)
      return { ...s3Error(403, 'AccessForbidden', 'CORSResponse: This is not allowed.'), headers: {} };
    return {
      status: 200,
      body: '',
      headers: {
        ...headersOf(rule, headers.origin),
        'access-control-allow-methods': rule.methods.join(', '),
        'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
        ...(rule.maxAge && { 'access-control-max-age': rule.maxAge }),
      },
    };
  };

  /** What an answer says to the browser of a page that may have it. */
  const headersFor = (head: Head): Headers => {
    const rule = head.headers.origin && ruleFor(head, head.method);
    return rule ? headersOf(rule, head.headers.origin ?? '') : {};
  };

  return { configure, preflight, headersFor };
}

const headersOf = ({ exposed }: Rule, origin: string): Headers => ({
  'access-control-allow-origin': origin,
  ...(exposed.length > 0 && { 'access-control-expose-headers': exposed.join(', ') }),
  vary: 'Origin',
});

/** The texts of these elements. Origins, methods and names of headers have no entities. */
const all = (name: string, within: string): string[] =>
  [...within.matchAll(new RegExp(`<${name}>([\\s\\S]*?)</${name}>`, 'g'))].map(([, inner = '']) => inner);

const readRule = (xml: string): Rule => ({
  origins: all('AllowedOrigin', xml),
  methods: all('AllowedMethod', xml),
  exposed: all('ExposeHeader', xml),
  maxAge: all('MaxAgeSeconds', xml)[0],
});
