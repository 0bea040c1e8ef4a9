import { describe, expect, test } from 'vitest';
import { changeDegree } from '../../../../functions/credentials/degrees/domain/change-degree.ts';
import { fileKey } from '../../../../functions/credentials/items/domain/item.ts';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { commitBefore } from '../../documents/stage/commit-before.ts';
import { ownStrictStores } from '../../own-stores.ts';
import {
  emissionOf,
  foundRegistry,
  missingFilesOf,
  requestOf,
  shown,
  signItem,
  textOf,
} from './registry-stage.ts';

// On a store that cancels transactions that meet, as AWS does. Issuer and registrar write both items:
//
//   registrar  |--reads request, emission---------- registered: both, or neither --|
//   issuer       |--reads emission, request---- canceled: both, or neither --|

await forFile(ownStrictStores());
const registry = await foundRegistry();

const invalid = (status: string) => ({ code: 'InvalidStatus', details: { status } });
const xml = (text: string) => [
  { name: 'diploma', content: Buffer.from(`<Diploma>${text}</Diploma>`).toString('base64') },
];

describe('the issuer cancels while the registrar acts', () => {
  test('a cancellation that comes first wins: nothing is registered', async () => {
    const { emissionId, requestId } = await registry.sent('accepted', 'approved');
    commitBefore(`ITEM#registration#${requestId}`, () => registry.cancel(emissionId));
    await expect(registry.act(requestId, 'registered')).rejects.toMatchObject(invalid('Canceled'));
    expect(await shown(emissionId)).toEqual({
      ...{ emission: 'Canceled', registrationStatus: 'Canceled', request: 'Canceled', degree: null },
    });
  });

  test('a registration that comes first wins: nothing is canceled', async () => {
    const { emissionId, requestId } = await registry.sent('accepted', 'approved');
    commitBefore(`ITEM#emission#${emissionId}`, () => registry.act(requestId, 'registered'));
    await expect(registry.cancel(emissionId)).rejects.toMatchObject(invalid('Registered'));
    expect(await shown(emissionId)).toEqual({
      ...{ emission: 'Registered', registrationStatus: 'Registered', request: 'Registered' },
      degree: 'Created',
    });
  });

  test('a request that is accepted first is canceled as accepted', async () => {
    const { emissionId, requestId } = await registry.sent();
    commitBefore(`ITEM#emission#${emissionId}`, () => registry.act(requestId, 'accepted'));
    await registry.cancel(emissionId);
    expect(await shown(emissionId)).toMatchObject({ emission: 'Canceled', request: 'Canceled' });
  });

  test('at one moment, again and again: both items agree, and one of the two is refused', async () => {
    const rounds = await Promise.all(Array.from({ length: 8 }, () => registry.sent('accepted', 'approved')));
    const outcomes = await Promise.all(
      rounds.map(async ({ emissionId, requestId }) => {
        const [canceled, registered] = await Promise.allSettled([
          registry.cancel(emissionId),
          registry.act(requestId, 'registered'),
        ]);
        return { canceled, registered, states: await shown(emissionId) };
      }),
    );
    for (const { canceled, registered, states } of outcomes)
      if (registered.status === 'fulfilled') {
        expect(canceled).toMatchObject({ reason: invalid('Registered') });
        expect(states).toMatchObject({ emission: 'Registered', request: 'Registered', degree: 'Created' });
      } else {
        expect(canceled.status).toBe('fulfilled');
        expect(registered).toMatchObject({ reason: invalid('Canceled') });
        expect(states).toMatchObject({ emission: 'Canceled', request: 'Canceled', degree: null });
      }
  });
});

test('an emission that is sent twice at once has one request', async () => {
  const fresh = await foundRegistry();
  const emissionId = await fresh.signed();
  const sends = await Promise.allSettled([fresh.send(emissionId), fresh.send(emissionId)]);
  expect(sends.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(sends.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: invalid('SentToRegistry'),
  });
  const page = { page: 1, pageSize: 10 };
  const { items } = await listItems('registration', fresh.registrar.organizationId, page);
  expect(items.map(({ id }) => id)).toEqual([(await emissionOf(emissionId)).data.registrationId]);
});

// Two registrations bring different files:
//
//   first   |--stores its file----------------------------- commits --|
//   second                       |--stores its file-- killed
//
// A file that is stored by its name would now be the second's, under the hash of the first's.
test('of two registrations at once with different files, the request and the degree have that of the one that is done', async () => {
  const { emissionId, requestId } = await registry.sent('accepted', 'approved');
  const register = (text: string) => registry.act(requestId, 'registered', { files: xml(text) });
  commitBefore(`ITEM#registration#${requestId}`, async () => {
    expect(await killedAt(1, 'after', () => register('second'))).toBe(true);
  });
  await register('first');
  const request = await requestOf(requestId);
  expect(await missingFilesOf(request)).toEqual([]);
  const diploma = request.files.find(({ name }) => name === 'diploma');
  expect(diploma && (await textOf(fileKey(request, diploma)))).toBe('<Diploma>first</Diploma>');
  const { degreeId } = (await emissionOf(emissionId)).data;
  expect(diploma && (await textOf(fileKey({ kind: 'degree', id: degreeId ?? '' }, diploma)))).toBe(
    '<Diploma>first</Diploma>',
  );
  await expect(register('third')).rejects.toMatchObject(invalid('Registered'));
  expect(await missingFilesOf(await requestOf(requestId))).toEqual([]);
});

describe('the issuer annuls the degree while the registrar signs', () => {
  const annul = (degreeId: string | null) =>
    changeDegree(
      registry.issuer.caller,
      degreeId ?? '',
      { event: 'canceled', reason: 'Wrong course', cancellationReason: 'Erro de Fato' },
      Date.now(),
    );

  test('the request is signed, and the degree stays annulled', async () => {
    const { emissionId, requestId } = await registry.sent('accepted', 'approved', 'registered');
    const { degreeId } = (await emissionOf(emissionId)).data;
    await annul(degreeId);
    await signItem({ kind: 'registration', id: requestId });
    expect(await shown(emissionId)).toEqual({
      ...{ emission: 'Registered', registrationStatus: 'Signed', request: 'Signed', degree: 'Canceled' },
    });
  });

  test('a request that is canceled then leaves the degree as its issuer annulled it', async () => {
    const { emissionId, requestId } = await registry.sent('accepted', 'approved', 'registered');
    const { degreeId } = (await emissionOf(emissionId)).data;
    commitBefore(`ITEM#registration#${requestId}`, () => annul(degreeId));
    await registry.act(requestId, 'canceled', {
      reason: 'Annulled by its issuer',
      cancellationReason: 'Erro de Direito',
    });
    expect(await shown(emissionId)).toMatchObject({ request: 'Canceled', degree: 'Canceled' });
    const { items } = await listItems('degree', registry.issuer.organizationId, {
      ...{ page: 1, pageSize: 50, status: 'Canceled' },
    });
    expect(items.find(({ id }) => id === degreeId)).toMatchObject({ cancellationReason: 'Erro de Fato' });
  });
});
