import type { ServiceName } from '../settings/names.ts';
import { collection } from '../store/collection.ts';
import { files } from './files.ts';
import type { UploadOptions } from './presign.ts';

/** A file that its sender puts straight into the bucket: a request carries a few megabytes, a link many. */
export type AnnouncedUpload = {
  readonly id: string;
  readonly length: number;
  readonly linkEndsAtMs: number;
};

// A put that began right before its link ended may still be running, and its notification may be late.
const KEPT_AFTER_END_MS = 86_400_000;

/**
 * The announced uploads of a service, until a day after their links have ended.
 * @example const uploads = announcedUploads<BatchUpload>({ service: 'credentials', name: 'upload', pk: 'UPLOAD' });
 */
export const announcedUploads = <T extends AnnouncedUpload>({
  service,
  name,
  pk,
}: {
  readonly service: ServiceName;
  readonly name: string;
  readonly pk: string;
}) =>
  collection<T, string>({
    service,
    name,
    id: ({ id }) => id,
    key: (id) => ({ pk: `${pk}#${id}`, sk: pk }),
    indexed: ({ linkEndsAtMs }) => ({ ttl: Math.ceil((linkEndsAtMs + KEPT_AFTER_END_MS) / 1000) }),
  });

/**
 * Announces a file of a known size, and makes the link to put it. `record` is called before, with the end of the link.
 * The store refuses any other size than the signed one; a store that does not is caught when the file is received.
 * @example await announceUpload('batch', link, nowMs, (linkEndsAtMs) => uploads.create({ ...upload, linkEndsAtMs }));
 */
export async function announceUpload(
  service: ServiceName,
  { keyOf, ...link }: UploadOptions & { readonly keyOf: (id: string) => string },
  nowMs: number,
  record: (linkEndsAtMs: number) => Promise<{ readonly id: string }>,
) {
  const linkEndsAtMs = nowMs + link.expiresSeconds * 1000;
  const { id } = await record(linkEndsAtMs);
  const made = await files(service).uploadUrl(keyOf(id), link);
  return { id, ...made, headers: { ...made.headers }, expiresAt: new Date(linkEndsAtMs).toISOString() };
}
