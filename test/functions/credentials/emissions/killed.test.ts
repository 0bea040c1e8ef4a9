import { expect, test } from 'vitest';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import type { KindName } from '../../../../functions/credentials/items/domain/kinds.ts';
import { killedAt } from '../../../faults/crash.ts';
import { forFile } from '../../../runner/for-file.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { ownStores } from '../../own-stores.ts';
import {
  emissionOf,
  foundRegistry,
  missingFilesOf,
  type Registry,
  shown,
  signItem,
  type University,
} from './registry-stage.ts';

// A process is killed at each of its writes in turn, right after it:
//
//   process 1  |--copies files--commit--messages-- killed anywhere
//   client                                          |--the same call again--|
//
// The commit is one: before it nothing has happened and the call is repeated, after it the repetition is refused with the
// state. Items, lists and recorded events agree, and no item names a file that is not in the bucket.

await forFile(ownStores());

const DONE = { page: 1, pageSize: 50 };

/** No list has an item twice or in another state, and no item names a file that is not there. */
async function checkItems(registry: Registry): Promise<void> {
  const owners: readonly (readonly [KindName, string])[] = [
    ['emission', registry.issuer.organizationId],
    ['degree', registry.issuer.organizationId],
    ['registration', registry.registrar.organizationId],
  ];
  for (const [kind, owner] of owners) {
    const { items: all, totalCount } = await listItems(kind, owner, DONE);
    expect(totalCount).toBeLessThanOrEqual(1);
    for (const item of all) {
      expect(await missingFilesOf(item)).toEqual([]);
      const { items: ofState } = await listItems(kind, owner, { ...DONE, status: item.state });
      expect(ofState.map(({ id }) => id)).toEqual([item.id]);
    }
  }
}

type Case = {
  /** Brings an emission to where the call is made. Answers what the call needs. */
  readonly prepare: (registry: Registry) => Promise<{ emissionId: string; requestId: string }>;
  readonly call: (registry: Registry, ids: { emissionId: string; requestId: string }) => Promise<unknown>;
  /** The state that a repetition names when the call was done. */
  readonly refusedWith: string;
  readonly after: Awaited<ReturnType<typeof shown>>;
  /** All events, each once. */
  readonly issuer: readonly string[];
  readonly registrar: readonly string[];
  readonly tasks: readonly string[];
};

const SENT = ['EmissionCreated', 'EmissionSigned', 'EmissionSentToRegistry'];
const REGISTERED = [
  ...SENT,
  ...['Accepted', 'Approved', 'Registered'].map((status) => `EmissionRegistration${status}`),
  ...['EmissionRegistered', 'DegreeCreated'],
];

const CASES: Readonly<Record<string, Case>> = {
  'an emission is sent': {
    prepare: async (registry) => ({ emissionId: await registry.signed(), requestId: '' }),
    call: (registry, { emissionId }) => registry.send(emissionId),
    refusedWith: 'SentToRegistry',
    after: {
      ...{ emission: 'SentToRegistry', registrationStatus: 'Created', request: 'Created', degree: null },
    },
    issuer: SENT,
    registrar: ['RegistrationCreated'],
    tasks: [],
  },
  'a request is registered': {
    prepare: (registry) => registry.sent('accepted', 'approved'),
    call: (registry, { requestId }) => registry.act(requestId, 'registered'),
    refusedWith: 'Registered',
    after: {
      ...{
        emission: 'Registered',
        registrationStatus: 'Registered',
        request: 'Registered',
        degree: 'Created',
      },
    },
    issuer: REGISTERED,
    registrar: [
      'RegistrationCreated',
      'RegistrationAccepted',
      'RegistrationApproved',
      'RegistrationRegistered',
    ],
    tasks: ['handOver'],
  },
  'a request is signed': {
    prepare: (registry) => registry.sent('accepted', 'approved', 'registered'),
    call: (_, { requestId }) => signItem({ kind: 'registration', id: requestId }),
    refusedWith: 'Signed',
    after: {
      ...{ emission: 'Registered', registrationStatus: 'Signed', request: 'Signed', degree: 'Concluded' },
    },
    issuer: [...REGISTERED, 'DegreeConcluded'],
    registrar: [
      'RegistrationCreated',
      'RegistrationAccepted',
      'RegistrationApproved',
      'RegistrationRegistered',
      'RegistrationSigned',
    ],
    tasks: ['handOver'],
  },
  'an emission is canceled with its request': {
    prepare: (registry) => registry.sent('accepted'),
    call: (registry, { emissionId }) => registry.cancel(emissionId),
    refusedWith: 'Canceled',
    after: {
      ...{ emission: 'Canceled', registrationStatus: 'Canceled', request: 'Canceled', degree: null },
    },
    issuer: [...SENT, 'EmissionRegistrationAccepted', 'EmissionCanceled'],
    registrar: ['RegistrationCreated', 'RegistrationAccepted', 'RegistrationCanceled'],
    tasks: [],
  },
};

/** The events recorded for both universities, and the tasks that wait for a request, in one look at the table. */
async function recordedFor({ issuer, registrar }: Registry, requestId: string | null) {
  const rows = await everyItem('credentials');
  const typesOf = ({ organizationId }: University) =>
    rows.flatMap(({ sk, owner, type }) =>
      sk?.S === 'EVENT' && owner?.S === organizationId ? [type?.S ?? ''] : [],
    );
  const tasks = rows.flatMap(({ pk }) => {
    const [, task, id] = /^DUE#(\w+):registration:(.*)$/.exec(pk?.S ?? '') ?? [];
    return task !== undefined && id === requestId ? [task] : [];
  });
  return { issuer: typesOf(issuer).toSorted(), registrar: typesOf(registrar).toSorted(), tasks };
}

// A process that is killed before a write leaves what one leaves that is killed after the write before it.
test.each(Object.entries(CASES))('killed after any write while %s', async (_, tried) => {
  for (let write = 1; ; write++) {
    const registry = await foundRegistry();
    const ids = await tried.prepare(registry);
    const before = await shown(ids.emissionId);
    const isKilled = await killedAt(write, 'after', () => tried.call(registry, ids));

    const isDone = JSON.stringify(await shown(ids.emissionId)) !== JSON.stringify(before);
    await checkItems(registry);
    if (isDone)
      await expect(tried.call(registry, ids)).rejects.toMatchObject({
        code: 'InvalidStatus',
        details: { status: tried.refusedWith },
      });
    else await tried.call(registry, ids);

    expect([write, await shown(ids.emissionId)]).toEqual([write, tried.after]);
    await checkItems(registry);
    const { registrationId } = (await emissionOf(ids.emissionId)).data;
    const { issuer, registrar, tasks } = tried;
    expect(await recordedFor(registry, registrationId)).toEqual({
      issuer: issuer.toSorted(),
      registrar: registrar.toSorted(),
      tasks,
    });
    if (!isKilled) return expect(write).toBeGreaterThan(2);
  }
});
