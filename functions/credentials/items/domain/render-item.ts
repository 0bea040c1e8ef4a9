import type { Stored } from '../../../../shared/store/collection.ts';
import type { Item, ItemFile } from './item.ts';
import { problemsOf } from './problems.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** An item as the operations answer it: the common part and what its kind knows. */
export const renderItem = <Data extends object>(item: Stored<Item<Data>> | Item<Data>) => ({
  ...item.data,
  id: item.id,
  subscriptionId: item.organizationId,
  instituteId: item.instituteId,
  status: item.state,
  creationDate: iso(item.createdAtMs),
  updateDate: iso(item.updatedAtMs),
  reason: item.reason,
  cancellationReason: item.cancellationReason,
  problems: problemsOf(item),
  files: item.files.map(renderFile),
});

const renderFile = ({ name, length, sha256, document, signed, problem }: ItemFile) => ({
  ...{ name, length, sha256, problem },
  signerDocumentId: document?.id ?? null,
  signerDocumentUrl: document?.url ?? null,
  signers: document?.people ?? [],
  signedAt: signed && iso(signed.atMs),
});
