import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import {
  type degreeStates,
  emissionStates,
  KINDS,
  registrationStates,
} from '../../../../functions/credentials/items/domain/kinds.ts';
import type { StateOf } from '../../../../shared/store/state-machine.ts';
import {
  emissionOf,
  foundRegistry,
  missingFilesOf,
  type Registry,
  recordedEvents,
  requestOf,
  shown,
  signItem,
} from './registry-stage.ts';

// The tables of an emission and of its request, walked by their operations: a step that they have is made, any other is
// refused and the refusal names the present state. What the two items, the degree, the lists and the recorded events say
// agrees after every step.

type EmissionState = StateOf<typeof emissionStates>;
type RequestState = StateOf<typeof registrationStates>;
const REGISTRAR_EVENTS = ['accepted', 'approved', 'rejected', 'registered', 'canceled'] as const;
type RegistrarEvent = (typeof REGISTRAR_EVENTS)[number];

const registry = await foundRegistry();

const refusal = (status: string, event: string) => ({ code: 'InvalidStatus', details: { status, event } });

describe('every event from every state', () => {
  const PATHS: Readonly<Record<RequestState, readonly (RegistrarEvent | 'signed')[]>> = {
    Created: [],
    Accepted: ['accepted'],
    Approved: ['accepted', 'approved'],
    Registered: ['accepted', 'approved', 'registered'],
    Signed: ['accepted', 'approved', 'registered', 'signed'],
    Rejected: ['rejected'],
    Canceled: ['accepted', 'canceled'],
  };
  const requests = Object.keys(PATHS) as RequestState[];

  test('the paths reach every state of a request', () => {
    expect(requests.toSorted()).toEqual(registrationStates.states.toSorted());
  });

  test.each(requests.flatMap((state) => REGISTRAR_EVENTS.map((event) => ({ state, event }))))(
    'a request that is $state: $event',
    async ({ state, event }) => {
      const { requestId } = await registry.sent(...PATHS[state]);
      expect((await requestOf(requestId)).state).toBe(state);
      const next = registrationStates.next(state, event);
      const acted = registry.act(requestId, event);
      if (next === undefined) await expect(acted).rejects.toMatchObject(refusal(state, event));
      else expect((await acted).state).toBe(next);
      expect((await requestOf(requestId)).state).toBe(next ?? state);
    },
  );

  const EMISSIONS: Readonly<Record<EmissionState, () => Promise<string>>> = {
    Created: async () => (await registry.created()).id,
    Signed: () => registry.signed(),
    SentToRegistry: async () => (await registry.sent()).emissionId,
    Registered: async () => (await registry.sent(...PATHS.Registered)).emissionId,
    Canceled: async () => (await registry.cancel((await registry.created()).id)).id,
  };

  test.each(
    emissionStates.states.flatMap((state) =>
      (['sentToRegistry', 'canceled'] as const).map((event) => ({ state, event })),
    ),
  )('an emission that is $state: $event', async ({ state, event }) => {
    const id = await EMISSIONS[state]();
    expect((await emissionOf(id)).state).toBe(state);
    // Its request is open: it is sent once.
    const isOpen = state === 'SentToRegistry' && event === 'sentToRegistry';
    const next = isOpen ? undefined : emissionStates.next(state, event);
    const changed = event === 'canceled' ? registry.cancel(id) : registry.send(id);
    if (next === undefined) await expect(changed).rejects.toMatchObject(refusal(state, event));
    else expect((await changed).state).toBe(next);
    expect((await emissionOf(id)).state).toBe(next ?? state);
  });

  test.each(['rejected', 'canceled'] as const)(
    'an emission is sent again, also to another registrar, after its request was %s',
    async (event) => {
      const { emissionId, requestId } = await registry.sent(event);
      const other = await foundRegistry();
      const again = await registry.send(emissionId, other.registrar, 'Once more');
      expect(again).toMatchObject({
        state: 'SentToRegistry',
        reason: null,
        data: {
          registrarInstituteId: other.registrar.institute.id,
          registrationStatus: 'Created',
          registrationCancellationReason: null,
        },
      });
      expect(again.data.registrationId).not.toBe(requestId);
      const request = await requestOf(again.data.registrationId ?? '');
      expect(request.organizationId).toBe(other.registrar.organizationId);
      expect(request.data).toMatchObject({ emissionId, description: 'Once more' });
      await expect(registry.send(emissionId)).rejects.toMatchObject({
        details: { status: 'SentToRegistry', registrationStatus: 'Created', event: 'sentToRegistry' },
      });
    },
  );
});

type Action = RegistrarEvent | 'sign' | 'send' | 'cancel' | 'signRequest';
const ACTIONS: readonly Action[] = [...REGISTRAR_EVENTS, 'sign', 'send', 'cancel', 'signRequest'];
// Most random walks end at once in a state that nothing leads out of: these weights let them come far.
const WEIGHTS: Readonly<Partial<Record<Action, number>>> = { rejected: 1, canceled: 1, cancel: 1 };
const action = fc.oneof(
  ...ACTIONS.map((each) => ({ arbitrary: fc.constant(each), weight: WEIGHTS[each] ?? 6 })),
);

type Model = {
  readonly emission: EmissionState;
  readonly request: RequestState | null;
  readonly degree: StateOf<typeof degreeStates> | null;
  /** The events recorded for both webhooks. */
  readonly issuer: readonly string[];
  readonly registrar: readonly string[];
};

const BEGUN: Model = {
  emission: 'Created',
  request: null,
  degree: null,
  issuer: ['EmissionCreated'],
  registrar: [],
};

const EVENTS = { sign: 'signed', cancel: 'canceled', send: 'sentToRegistry', signRequest: 'signed' } as const;

/** What the tables say of an action: the model after it, or undefined where it is refused. */
function after(model: Model, each: Action): Model | undefined {
  if (each === 'sign' || each === 'cancel' || each === 'send') return afterIssuer(model, each);
  const event = each === 'signRequest' ? EVENTS[each] : each;
  const request = model.request === null ? undefined : registrationStates.next(model.request, event);
  if (request === undefined) return undefined;
  const registrar = [...model.registrar, `Registration${request}`];
  const told = event === 'signed' ? model.issuer : [...model.issuer, `EmissionRegistration${request}`];
  if (event === 'registered') {
    const issuer = [...told, 'EmissionRegistered', 'DegreeCreated'];
    return { emission: 'Registered', request, degree: 'Created', issuer, registrar };
  }
  if (model.degree === null) return { ...model, request, issuer: told, registrar };
  const degree = event === 'signed' ? 'Concluded' : 'Canceled';
  return { ...model, request, degree, issuer: [...told, `Degree${degree}`], registrar };
}

function afterIssuer(model: Model, each: 'sign' | 'cancel' | 'send'): Model | undefined {
  const emission = emissionStates.next(model.emission, EVENTS[each]);
  const isOpen = model.request !== null && !registrationStates.isTerminal(model.request);
  if (emission === undefined || (each === 'send' && isOpen)) return undefined;
  const moved = { ...model, emission, issuer: [...model.issuer, `Emission${emission}`] };
  const request = each === 'send' ? 'Created' : each === 'cancel' && isOpen ? 'Canceled' : undefined;
  return request ? { ...moved, request, registrar: [...model.registrar, `Registration${request}`] } : moved;
}

const isIssuers = (each: Action): boolean => each === 'sign' || each === 'cancel' || each === 'send';

const run = (walked: Registry, each: Action, emissionId: string, requestId: string): Promise<unknown> => {
  if (each === 'sign') return signItem({ kind: 'emission', id: emissionId });
  if (each === 'send') return walked.send(emissionId);
  if (each === 'cancel') return walked.cancel(emissionId);
  if (each === 'signRequest') return signItem({ kind: 'registration', id: requestId });
  return walked.act(requestId, each);
};

/** The items of a list by its states: how many each page of a status has. */
const listed = async (kind: 'emission' | 'registration' | 'degree', ownerId: string) => {
  const counts = await Promise.all(
    KINDS[kind].states.states.map(async (status) => {
      const { items, totalCount } = await listItems(kind, ownerId, { page: 1, pageSize: 50, status });
      expect(items).toHaveLength(totalCount);
      return totalCount > 0 ? [[status, totalCount] as const] : [];
    }),
  );
  return Object.fromEntries(counts.flat());
};

test('on any walk the items, their lists and their events agree', async () => {
  const reached = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 14 }), async (actions) => {
      const walked = await foundRegistry();
      let model = BEGUN;
      const { id } = await walked.created();
      let requestId = '';
      const ended: Record<string, number> = {};
      for (const each of actions) {
        if (!isIssuers(each) && model.request === null) continue;
        const next = after(model, each);
        const done = run(walked, each, id, requestId);
        if (next) await done;
        else {
          const status = isIssuers(each) ? model.emission : model.request;
          await expect(done).rejects.toMatchObject({ code: 'InvalidStatus', details: { status } });
        }
        if (next && each === 'send') {
          if (model.request !== null) ended[model.request] = (ended[model.request] ?? 0) + 1;
          requestId = (await emissionOf(id)).data.registrationId ?? '';
        }
        model = next ?? model;
        const { emission, request, degree } = model;
        expect(await shown(id)).toEqual({ emission, request, registrationStatus: request, degree });
        reached.add(`emission ${emission}`).add(`request ${request}`).add(`degree ${degree}`);
      }
      const { emission, request, degree } = model;
      if (request !== null) ended[request] = (ended[request] ?? 0) + 1;
      const [issuerId, registrarId] = [walked.issuer.organizationId, walked.registrar.organizationId];
      expect(await listed('emission', issuerId)).toEqual({ [emission]: 1 });
      expect(await listed('registration', registrarId)).toEqual(ended);
      expect(await listed('degree', issuerId)).toEqual(degree === null ? {} : { [degree]: 1 });
      const told = async (of: 'issuer' | 'registrar') =>
        (await recordedEvents(walked[of])).map(({ type }) => type).toSorted();
      expect(await told('issuer')).toEqual(model.issuer.toSorted());
      expect(await told('registrar')).toEqual(model.registrar.toSorted());
      expect(await missingFilesOf(await emissionOf(id))).toEqual([]);
    }),
    { seed: 20, numRuns: 10, examples: [[FAR], [FAR_AND_BACK], [CANCELED]] },
  );
  const states = (name: string, table: readonly string[]) => table.map((state) => `${name} ${state}`);
  expect([...reached]).toEqual(
    expect.arrayContaining([
      ...states('emission', emissionStates.states),
      ...states('request', registrationStates.states),
      ...states('degree', ['Created', 'Concluded', 'Canceled'] satisfies StateOf<typeof degreeStates>[]),
    ]),
  );
});

const FAR: Action[] = [
  'sign',
  'send',
  'rejected',
  'send',
  'accepted',
  'approved',
  'registered',
  'signRequest',
];
const FAR_AND_BACK: Action[] = ['sign', 'send', 'accepted', 'approved', 'registered', 'canceled', 'cancel'];
const CANCELED: Action[] = ['sign', 'send', 'accepted', 'cancel', 'send', 'approved'];
