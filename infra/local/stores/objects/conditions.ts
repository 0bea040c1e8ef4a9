// The conditions of S3 that fauxqs ignores: If-None-Match where an object is written, If-Match where one is deleted, and
// the tag of the source where one is copied.
import { type FindObject, type S3Answer, type S3Request, type StoredObject, s3Error } from './request.ts';

/** The refusal of a request whose condition does not hold. */
export function refuseByCondition(
  { method, headers, params, query }: S3Request,
  find: FindObject,
): S3Answer | undefined {
  const { bucket, '*': key } = params;
  if (!bucket || !key) return undefined;
  const isWrite = method === 'PUT' || method === 'POST';
  if (isWrite && headers['if-none-match'] === '*' && find(bucket, key)) return PRECONDITION_FAILED;
  const source = headers['x-amz-copy-source'];
  const sourceTag = headers['x-amz-copy-source-if-match'];
  if (isWrite && source !== undefined && sourceTag !== undefined && !hasTag(source, sourceTag, find))
    return PRECONDITION_FAILED;
  const wanted = headers['if-match'];
  if (method !== 'DELETE' || wanted === undefined || query.uploadId) return undefined;
  const found = find(bucket, key);
  if (!found) return NO_SUCH_KEY;
  return wanted === '*' || unquoted(wanted) === unquoted(found.etag) ? undefined : PRECONDITION_FAILED;
}

/** A source that does not exist is answered by the copy itself. */
function hasTag(source: string, tag: string, find: FindObject): boolean {
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/.exec(decodeURIComponent(source)) ?? [];
  const found = find(bucket, key);
  return !found || unquoted(found.etag) === unquoted(tag);
}

const unquoted = (tag: string): string => tag.replaceAll('"', '');

const PRECONDITION_FAILED = s3Error(
  412,
  'PreconditionFailed',
  'At least one of the pre-conditions you specified did not hold',
);
const NO_SUCH_KEY = s3Error(404, 'NoSuchKey', 'The specified key does not exist.');

/**
 * Asks fauxqs' own route for HEAD, which answers before it returns. A request through the web server would take turns of
 * the event loop, and another write could come between a condition and its write.
 */
export function findObject(
  head: (request: object, reply: object) => Promise<unknown>,
  bucket: string,
  key: string,
): StoredObject | undefined {
  const answered = { status: 0, headers: new Map<string, unknown>() };
  const reply = {
    header: (name: string, value: unknown) => void answered.headers.set(name, value),
    status: (status: number) => {
      answered.status = status;
      return reply;
    },
    send: () => undefined,
  };
  // A failure leaves the status at 0.
  head({ params: { bucket, '*': key }, headers: {} }, reply).catch(() => undefined);
  if (answered.status === 404) return undefined;
  if (answered.status !== 200) throw new Error(`S3 cannot look at ${key}.`);
  return { size: Number(answered.headers.get('content-length')), etag: String(answered.headers.get('etag')) };
}
