import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { TooLarge } from '../../../../../shared/files/errors.ts';
import { files } from '../../../../../shared/files/files.ts';
import { lineSplitter, START } from '../../../../../shared/lines/split-lines.ts';
import type { Stored } from '../../../../../shared/store/collection.ts';
import { commit } from '../../../../../shared/store/commit.ts';
import { errors } from '../../../errors.ts';
import { settings } from '../../../settings.ts';
import { ORGANIZATIONS_OF } from '../../../tenants/domain/organization.ts';
import { batches, batchMessage, changingBatchList, type DegreeBatch } from './batch.ts';
import { refuseManyLines } from './line-limit.ts';

/** The media type of a file of lines. */
export const LINES_TYPE = 'application/x-ndjson';

type CreateBatchRequest = {
  readonly organizationId: string;
  readonly content: AsyncIterable<Uint8Array>;
  /** Chosen by an upload, which becomes one batch. */
  readonly id?: string;
};

// The file is in the bucket before the batch is. A process that is killed between the two leaves a file that no batch
// names: the bucket's own rule removes it.

/**
 * Stores the lines as they arrive, and creates the batch that is worked through in the background. Refused with
 * TooManyLines above MaxDegreesInBatch, AlreadyExists where the id is taken.
 */
export async function createBatch(
  { application, person, registered }: Caller,
  { organizationId, content, id = randomUUID() }: CreateBatchRequest,
  nowMs: number,
): Promise<Stored<DegreeBatch>> {
  // Not by the id alone: two requests may bring the same upload at once, while its sender replaces the file.
  const file = `batches/${id}/${randomUUID()}.ndjson`;
  const stored = await storeLines(file, content);
  const created = batches.creating({
    ...{ id, organizationId, application, scope: registered[ORGANIZATIONS_OF] ?? [] },
    ...(person && { person }),
    ...{ state: 'Created', file, ...stored, ...START, created: 0, failed: 0 },
    ...{ createdAtMs: nowMs, updatedAtMs: nowMs },
  });
  await commit([created, ...changingBatchList(undefined, created.after), batchMessage(id)]);
  return created.after;
}

/** Stores a file, and counts its lines on the way. A file that is refused leaves nothing. */
async function storeLines(key: string, content: AsyncIterable<Uint8Array>) {
  const counter = lineCounter();
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of content) {
      counter.push(chunk);
      yield chunk;
    }
    counter.end();
  }
  const options = { contentType: LINES_TYPE, maxBytes: settings['Batches:MaxBytes'] };
  const { length: bytes, sha256 } = await files('credentials')
    .put(key, counted(), options)
    .catch((error: unknown) => {
      throw error instanceof TooLarge ? tooLarge(error) : error;
    });
  return { bytes, sha256, lines: counter.lines() };
}

export const tooLarge = ({ limitBytes, seenBytes: actualBytes }: TooLarge) =>
  errors.refuse('InvalidRequest', { limitBytes, actualBytes }, { status: 413 });

function lineCounter() {
  const splitter = lineSplitter({ maxLineBytes: settings['Batches:MaxLineBytes'] });
  let lines = 0;
  const count = (found: ReturnType<typeof splitter.push>): void => {
    for (const { number, isBlank } of found) {
      if (!isBlank) lines += 1;
      refuseManyLines({ lines, number });
    }
  };
  return {
    push: (chunk: Uint8Array): void => count(splitter.push(chunk)),
    end(): void {
      count(splitter.end());
      if (lines === 0) throw errors.refuse('InvalidFields', { field: 'body', reason: 'has no line' });
    },
    lines: () => lines,
  };
}
