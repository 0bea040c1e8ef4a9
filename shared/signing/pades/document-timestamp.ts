import type { Stamp } from '../cms/stamp.ts';
import type { SigningDigest } from '../digest.ts';
import { ContentsTooSmall, fillContents, hashAround } from './contents-placeholder.ts';
import { openForUpdate } from './open-for-signing.ts';
import { append, type Source } from './pdf/source.ts';
import { TIMESTAMP_BYTES } from './prepare.ts';
import { appendSignedField } from './signed-field.ts';
import { SUB_FILTER } from './sub-filters.ts';

const HEAD = `/Type/DocTimeStamp/Filter/Adobe.PPKLite/SubFilter/${SUB_FILTER.timestamp}`;

/**
 * A timestamp over the whole file as it stands: what keeps its signatures when their algorithms grow old.
 * @example const archived = await withDocumentTimestamp(sourceOf(signed), stamp);
 */
export async function appendDocumentTimestamp(
  source: Source,
  stamp: Stamp,
  {
    digest = 'sha256',
    contentsBytes = TIMESTAMP_BYTES,
  }: { digest?: SigningDigest; contentsBytes?: number } = {},
): Promise<Source> {
  const { increment, hole } = appendSignedField(openForUpdate(source), {
    kind: 'timestamp',
    head: HEAD,
    tail: '',
    contentsBytes,
  });
  const token = await stamp(digest, hashAround(append(source, increment), hole, digest));
  try {
    return append(source, fillContents(increment, source.length, hole, token));
  } catch (error) {
    if (!(error instanceof ContentsTooSmall) || contentsBytes !== TIMESTAMP_BYTES) throw error;
    return appendDocumentTimestamp(source, stamp, { digest, contentsBytes: error.neededBytes + SPARE_BYTES });
  }
}

/** Tokens of one authority differ by a few bytes. */
export const SPARE_BYTES = 1024;
