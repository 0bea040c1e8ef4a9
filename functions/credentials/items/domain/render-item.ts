import type { Stored } from '../../../../shared/store/collection.ts';
import type { Item, ItemFile } from './item.ts';
import { problemsOf } from './problems.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/**
 * An item as the operations answer it: the common part and what its kind knows. The links by which people sign are for
 * those alone who may change it: whoever has one may also refuse in the name of its person.
 */
export const renderItem = <Data extends object>(
  item: Stored<Item<Data>> | Item<Data>,
  links: 'shown' | 'hidden',
) => ({
  ...item.data,
  id: item.id,
  subscriptionId: item.organizationId,
  instituteId: item.instituteId,
  status: item.state,
  creationDate: iso(item.createdAtMs),
  updateDate: iso(item.updatedAtMs),
  reason: item.reason,
  cancellationReason: item.cancellationReason,
  problems: problemsOf(item).map(({ file, message }) => ({ file, message })),
  files: item.files.map((file) => renderFile(file, links === 'shown')),
});

const renderFile = ({ name, length, sha256, document, signed, problem }: ItemFile, showsLinks: boolean) => ({
  ...{ name, length, sha256, problem },
  signerDocumentId: document?.id ?? null,
  signerDocumentUrl: (showsLinks && document?.url) || null,
  signers: (document?.people ?? []).map(({ name: signer, cpf, step, status, url }) => ({
    ...{ name: signer, cpf, step, status, url: showsLinks ? url : null },
  })),
  signedAt: signed && iso(signed.atMs),
});
