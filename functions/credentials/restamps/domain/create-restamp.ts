import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../../shared/access/caller.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { retryOnConflict } from '../../../../shared/store/retry-on-conflict.ts';
import { errors } from '../../errors.ts';
import { creatingItem } from '../../flows/domain/change-item.ts';
import { commitCreated } from '../../flows/domain/create-item.ts';
import { taskMessage } from '../../flows/domain/tasks.ts';
import type { RestampData } from '../../items/domain/data.ts';
import { actorOf } from '../../items/domain/history.ts';
import { type Item, requireItem } from '../../items/domain/item.ts';
import { isInScope } from '../../tenants/domain/organization.ts';
import { type Chain, chains, documentTypeOf, kindOf, type StampedFile } from './chain.ts';
import { StampedFileChanged } from './imprint.ts';
import { newestProof } from './proof-of-file.ts';
import { timestampAuthorities } from './request-token.ts';

export type CreateRestampRequest = Pick<RestampData, 'documentType' | 'documentId' | 'identifier'>;

// Every token is over all tokens before it, and authorities are paid for each. A file that is stamped every year has as
// many in a hundred years. The sweep goes on beyond it.
const MAX_RESTAMPS_BY_CLIENTS = 100;

/** Creates the restamp that a client requests for a signed file of an item in scope. Its token is obtained in the background. */
export const createRestamp = (
  caller: Caller,
  { documentType, documentId, identifier }: CreateRestampRequest,
  nowMs: number,
): Promise<Item<RestampData>> =>
  retryOnConflict(
    async () => {
      const file: StampedFile = { kind: kindOf(documentType), id: documentId, name: identifier };
      const document = await requireItem(file.kind, file.id, ({ organizationId }) =>
        isInScope(caller, organizationId),
      );
      const found = document.files.find(({ name }) => name === identifier);
      if (!found) throw errors.refuse('FileNotFound', { resourceName: 'File', resourceId: identifier });
      if (!found.signed) throw errors.refuse('FileNotSigned', { file: identifier, status: document.state });
      if (timestampAuthorities().length === 0) throw errors.refuse('TimestampAuthorityRequired');
      const chain = await chains.get(file);
      if (chain?.openId) throw errors.refuse('RestampPending', { restampId: chain.openId });
      if (chain && chain.applied.length >= MAX_RESTAMPS_BY_CLIENTS)
        throw errors.refuse('TooManyRestamps', { limit: MAX_RESTAMPS_BY_CLIENTS });
      const { endsAtMs } = await newestProof(document, identifier, chain, nowMs).catch((error: unknown) => {
        throw error instanceof StampedFileChanged
          ? errors.refuse('FileChanged', { file: identifier })
          : error;
      });
      return openRestamp(document, { file, chain, endsAtMs, createdBy: actorOf(caller) }, nowMs);
    },
    { mayCreate: true },
  );

type Opening = {
  readonly file: StampedFile;
  /** The chain as it was read, with no open restamp; none for the first one of a file. */
  readonly chain: Stored<Chain> | undefined;
  /** When the newest proof of the file expires. */
  readonly endsAtMs: number;
  /** Left out where no client asked for it. */
  readonly createdBy?: string;
};

// A client and the sweep, or two of either, find a file without an open restamp:
//
//   client  |--reads the chain: none open-- item + chain: open = A --|
//   sweep     |--reads the chain: none open---- item + chain: refused, reads A: nothing to do
//
// The chain is written with the item, so a file never has two open restamps over the same tokens.

/** Creates the restamp of a file in one commit with its chain, its event and its task. */
export async function openRestamp(
  document: Item,
  { file, chain, endsAtMs, createdBy }: Opening,
  nowMs: number,
): Promise<Item<RestampData>> {
  const id = randomUUID();
  const { organizationId, instituteId, searchable } = document;
  const documentType = documentTypeOf(file.kind);
  const created = await creatingItem<RestampData>(
    {
      ...{ kind: 'restamp', id, organizationId, instituteId, files: [] },
      ...(createdBy !== undefined && { createdBy }),
      searchable: { text: `${documentType} ${file.id} ${file.name}`, course: searchable.course },
      data: {
        ...{ documentType, documentId: file.id, identifier: file.name },
        archivingExpiringDate: new Date(endsAtMs).toISOString(),
        ...{ date: null, errorReason: null, attempts: 1, retryDate: null, tokenSha256: null },
        earlierRestampIds: chain?.applied.map(({ restampId }) => restampId) ?? [],
      },
    },
    nowMs,
  );
  const open = chain
    ? chains.changing(chain, { openId: id })
    : chains.creating({ ...file, applied: [], openId: id });
  return commitCreated(created, [{ writes: [open, taskMessage('restamp', { kind: 'restamp', id })] }]);
}
