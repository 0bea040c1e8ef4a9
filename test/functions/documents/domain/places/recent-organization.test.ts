import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { findDocument } from '../../../../../functions/documents/domain/document/document.ts';
import {
  organizationStates,
  organizations,
} from '../../../../../functions/documents/domain/places/organization.ts';
import { deleteOrganization } from '../../../../../functions/documents/domain/removal/delete-organization.ts';
import { secondsToLastCheck } from '../../../../../functions/documents/domain/removal/last-check.ts';
import { transition } from '../../../../../shared/store/state-machine.ts';
import { countCalls } from '../../../../measure/calls.ts';
import { ownOrganization } from '../../own-organization.ts';
import { callerFor, someDocuments } from '../../sample-documents.ts';

const NOON_MS = Date.UTC(2026, 10, 3, 12);

let orgId: string;
let document: string;
beforeEach(async () => {
  // Only the date stands still: stores answer as they do.
  vi.useFakeTimers({ toFake: ['Date'], now: NOON_MS });
  ({ orgId } = await ownOrganization());
  [document = ''] = await someDocuments(orgId);
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const find = () => findDocument(callerFor(orgId), document);
const NOT_FOUND = { code: 'DocumentNotFound' };

/** Deletes the organization as another process does: nothing tells this one. */
async function deletedElsewhere(): Promise<void> {
  const found = await organizations.get(orgId);
  if (found) await transition(organizations, organizationStates, found, 'deleted');
}

describe('an organization', () => {
  test('is read once in Access:CacheSeconds, however many calls look at it', async () => {
    await find();
    expect((await countCalls(find)).byCommand).toEqual({ GetItem: 1 });
    vi.setSystemTime(NOON_MS + 5_000);
    expect((await countCalls(find)).byCommand).toEqual({ GetItem: 2 });
  });

  test('that another process deleted is gone here when that time is over', async () => {
    await find();
    await deletedElsewhere();
    vi.setSystemTime(NOON_MS + 4_999);
    expect(await find()).toMatchObject({ id: document });
    vi.setSystemTime(NOON_MS + 5_000);
    await expect(find()).rejects.toMatchObject(NOT_FOUND);
  });

  test('that another process deleted is gone at once where the cache is turned off', async () => {
    vi.stubEnv('Access__CacheSeconds', '0');
    await find();
    await deletedElsewhere();
    await expect(find()).rejects.toMatchObject(NOT_FOUND);
  });

  test('that this process deleted is gone at once', async () => {
    await find();
    await deleteOrganization(orgId, NOON_MS);
    await expect(find()).rejects.toMatchObject(NOT_FOUND);
  });
});

test('the last check of a deletion waits for the age of a cached organization, too', () => {
  const place = { deletedAtMs: NOON_MS };
  expect(secondsToLastCheck(place, NOON_MS)).toBe(16 * 60 + 5);
  vi.stubEnv('Access__CacheSeconds', '300');
  expect(secondsToLastCheck(place, NOON_MS)).toBe(16 * 60 + 300);
  expect(secondsToLastCheck(place, NOON_MS + 17 * 60_000)).toBe(240);
});
