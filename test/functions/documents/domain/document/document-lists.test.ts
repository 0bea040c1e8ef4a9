import type { TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Document,
  type DocumentState,
  documentItems,
} from '../../../../../functions/documents/domain/document/document.ts';
import { documentList, listing } from '../../../../../functions/documents/domain/document/document-lists.ts';
import { cancelDocument } from '../../../../../functions/documents/domain/ending/end-document.ts';
import { createFolder } from '../../../../../functions/documents/domain/places/create-folder.ts';
import { dynamo } from '../../../../../shared/store/client.ts';
import { ownOrganization } from '../../own-organization.ts';
import { callerFor, someDocuments } from '../../sample-documents.ts';

// No commit of these tests is followed by a fold.
beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.9);
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** The keys that each transaction writes while `work` runs. Checks of a condition write nothing. */
async function keysWrittenBy(work: () => Promise<unknown>): Promise<string[][]> {
  const transactions: string[][] = [];
  const name = `keys-${crypto.randomUUID()}`;
  dynamo().middlewareStack.add(
    (next, { commandName }) =>
      (args) => {
        if (commandName === 'TransactWriteItemsCommand') {
          const { TransactItems = [] } = args.input as TransactWriteItemsCommandInput;
          const keys = TransactItems.map(
            ({ Put, Update, Delete }) => Put?.Item ?? Update?.Key ?? Delete?.Key,
          );
          transactions.push(keys.flatMap((key) => (key ? [`${key.pk?.S} ${key.sk?.S}`] : [])));
        }
        return next(args);
      },
    { step: 'initialize', name },
  );
  try {
    await work();
  } finally {
    dynamo().middlewareStack.remove(name);
  }
  return transactions;
}

async function twoDocuments() {
  const { orgId } = await ownOrganization();
  const caller = callerFor(orgId);
  const { id: folderId } = await createFolder(caller, { name: 'Contratos', parentId: null }, Date.now());
  const ids = await someDocuments(orgId, { names: ['a.bin', 'b.bin'], folderId });
  return { orgId, caller, folderId, ids };
}

describe('the lists of documents', () => {
  test('make no two creations in one folder write the same item, nor two changes of status', async () => {
    const { orgId, caller, folderId, ids } = await twoDocuments();
    const nowMs = Date.now();
    const works: (() => Promise<unknown>)[] = [
      () => Promise.all([1, 2, 3].map(() => someDocuments(orgId, { folderId, nowMs }))),
      () => Promise.all(ids.map((id) => cancelDocument(caller, id, 'x', nowMs))),
    ];
    for (const work of works) {
      const transactions = await keysWrittenBy(work);
      const withLists = transactions.filter((keys) => keys.some((key) => key.startsWith('LIST#')));
      expect(withLists.length).toBeGreaterThan(1);
      const keys = withLists.flat();
      expect(keys.filter((key, n) => keys.indexOf(key) !== n)).toEqual([]);
    }
    expect(
      await documentList({ folderId, filter: 'CanceledOrExpired' }).slice({ offset: 0, limit: 1 }),
    ).toMatchObject({ total: 2 });
    expect((await documentList({ organizationId: orgId }).slice({ offset: 0, limit: 1 })).total).toBe(5);
  });

  test('count a creation with its lists and usage in one record each', async () => {
    const { orgId, folderId } = await twoDocuments();
    const transactions = await keysWrittenBy(() => someDocuments(orgId, { folderId }));
    const [keys = []] = transactions.filter((each) => each.some((key) => key.startsWith('LIST#')));
    const kindOf = (key: string): string => key.slice(0, key.indexOf('/'));
    expect(
      keys
        .filter((key) => /^(LIST|LEDGER)#/.test(key))
        .map(kindOf)
        .sort(),
    ).toEqual(
      [...Array(2).fill('LEDGER#documents'), 'LEDGER#usage', ...Array(4).fill('LIST#documents')].sort(),
    );
  });
});

describe('the writes for a changed document', () => {
  const writesOf = async (state: DocumentState, change: Partial<Document>) => {
    const { ids } = await twoDocuments();
    const found = await documentItems.get(ids[0] ?? '');
    if (!found) throw new Error('The document is gone.');
    const before = { ...found, state };
    return listing(before, { ...before, ...change });
  };

  test('are none while its status counts as the same', async () => {
    expect(await writesOf('Pending', { state: 'FlowConcluded', updatedAtMs: 1 })).toEqual([]);
    expect(await writesOf('Pending', { updatedAtMs: 1 })).toEqual([]);
  });

  test('are two entries and a record in each of its lists for another status', async () => {
    const writes = await writesOf('FlowConcluded', { state: 'Concluded' });
    expect(writes).toHaveLength(6);
    expect(writes.filter((write) => 'amounts' in write)).toHaveLength(2);
  });

  test('rewrite its entries when a text changes that is searched', async () => {
    const writes = await writesOf('Pending', { name: 'Another' });
    expect(writes.map((write) => 'item' in write && Object.keys(write.item))).toEqual(
      Array.from({ length: 4 }, () => ['Put']),
    );
  });
});
