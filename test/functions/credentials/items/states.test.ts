import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import {
  changingItem,
  commitChanges,
  creatingItem,
} from '../../../../functions/credentials/flows/domain/change-item.ts';
import type { Item } from '../../../../functions/credentials/items/domain/item.ts';
import { itemList } from '../../../../functions/credentials/items/domain/item-lists.ts';
import {
  EMISSION_REGISTRATION,
  KINDS,
  type KindName,
} from '../../../../functions/credentials/items/domain/kinds.ts';
import { announcing } from '../../../../functions/credentials/webhooks/domain/announce.ts';
import { typeOf } from '../../../../functions/credentials/webhooks/domain/event-types.ts';
import {
  renderSubject,
  subjectOf,
} from '../../../../functions/credentials/webhooks/domain/render-subject.ts';
import type { Stored } from '../../../../shared/store/collection.ts';
import { RaceLost } from '../../../../shared/store/refusals.ts';
import type { Write } from '../../../../shared/store/write.ts';
import { runs } from '../../../faults/fuzz.ts';
import { stored } from './own-items.ts';
import { ownTenant, registerSilentWebhook } from './own-tenant.ts';

type Step = readonly [from: string, event: string, to: string];

// From, what moves it, to. A credential that is annulled, suspended or restored has one table for its two kinds.
const CREDENTIAL: readonly Step[] = [
  ['Created', 'concluded', 'Concluded'],
  ['Created', 'canceled', 'Canceled'],
  ['Concluded', 'canceled', 'Canceled'],
  ['Concluded', 'canceledTemporarily', 'CanceledTemporarily'],
  ['CanceledTemporarily', 'restored', 'Concluded'],
  ['CanceledTemporarily', 'canceled', 'Canceled'],
];

const TABLES: Readonly<Record<KindName, readonly Step[]>> = {
  degree: CREDENTIAL,
  transcript: CREDENTIAL,
  emission: [
    ['Created', 'signed', 'Signed'],
    ['Created', 'canceled', 'Canceled'],
    ['Signed', 'sentToRegistry', 'SentToRegistry'],
    ['Signed', 'canceled', 'Canceled'],
    ['SentToRegistry', 'sentToRegistry', 'SentToRegistry'],
    ['SentToRegistry', 'registered', 'Registered'],
    ['SentToRegistry', 'canceled', 'Canceled'],
  ],
  registration: [
    ['Created', 'accepted', 'Accepted'],
    ['Created', 'rejected', 'Rejected'],
    ['Created', 'canceled', 'Canceled'],
    ['Accepted', 'approved', 'Approved'],
    ['Accepted', 'rejected', 'Rejected'],
    ['Accepted', 'canceled', 'Canceled'],
    ['Approved', 'registered', 'Registered'],
    ['Approved', 'canceled', 'Canceled'],
    ['Registered', 'signed', 'Signed'],
    ['Registered', 'canceled', 'Canceled'],
  ],
  curriculum: [
    ['Created', 'concluded', 'Concluded'],
    ['Created', 'canceled', 'Canceled'],
    ['Concluded', 'canceled', 'Canceled'],
  ],
  cancellationList: [['Created', 'signed', 'Signed']],
  inspectionFile: [
    ['Created', 'signed', 'Signed'],
    ['Created', 'generationError', 'GenerationError'],
  ],
  restamp: [
    ['Created', 'updated', 'Updated'],
    ['Created', 'applied', 'Applied'],
    ['Created', 'applyingError', 'ApplyingError'],
    ['Updated', 'updated', 'Updated'],
    ['Updated', 'applied', 'Applied'],
    ['Updated', 'applyingError', 'ApplyingError'],
    ['ApplyingError', 'updated', 'Updated'],
  ],
};

// Completions, section 4.
const STATUSES: Readonly<Record<KindName, string>> = {
  degree: 'Created, Concluded, Canceled, CanceledTemporarily',
  emission: 'Created, Signed, SentToRegistry, Registered, Canceled',
  registration: 'Created, Accepted, Approved, Rejected, Registered, Signed, Canceled',
  transcript: 'Created, Concluded, Canceled, CanceledTemporarily',
  curriculum: 'Created, Concluded, Canceled',
  cancellationList: 'Created, Signed',
  inspectionFile: 'Created, Signed, GenerationError',
  restamp: 'Created, Updated, Applied, ApplyingError',
};

// The table of event types of the specification, part B.
const TYPES = `
DegreeCreated DegreeConcluded DegreeCanceled DegreeCanceledTemporarily DegreeRestored
EmissionCreated EmissionSigned EmissionSentToRegistry EmissionRegistered EmissionCanceled
EmissionRegistrationAccepted EmissionRegistrationApproved EmissionRegistrationRejected
EmissionRegistrationCanceled EmissionRegistrationRegistered
RegistrationCreated RegistrationAccepted RegistrationApproved RegistrationRejected RegistrationRegistered
RegistrationSigned RegistrationCanceled
AcademicTranscriptCreated AcademicTranscriptConcluded AcademicTranscriptCanceled
AcademicTranscriptCanceledTemporarily
CurriculumCreated CurriculumConcluded CurriculumCanceled
CancellationListCreated CancellationListSigned
InspectionFileCreated InspectionFileSigned InspectionFileGenerationError
RestampCreated RestampUpdated RestampApplied RestampApplyingError
`
  .trim()
  .split(/\s+/);

const OBSOLETE = [
  'CancellationListGenerated',
  'InspectionFileStarted',
  'InspectionFileGenerated',
  'RegistrationSentToIssuer',
  'EmissionAcceptedByRegistry',
  'RestampCreationError',
];

const kinds = Object.keys(KINDS) as KindName[];
const sorted = (texts: Iterable<string>) => [...texts].toSorted();

vi.stubEnv('Webhooks__RestampEvents', 'true');
const tenant = await ownTenant();
await registerSilentWebhook(tenant.organizationId);
await registerSilentWebhook(tenant.institute.id);

/** A new item of a kind, written as every item is. Its data are as few as a table needs. */
async function anItem(kind: KindName, atMs: number) {
  const change = await creatingItem<object>(
    {
      ...{ kind, id: randomUUID(), organizationId: tenant.organizationId, instituteId: tenant.institute.id },
      searchable: { text: kind, course: null },
      files: [],
      data: { degreeId: null },
    },
    atMs,
  );
  await commitChanges([change]);
  return { item: change.after, types: typesIn(change.writes) };
}

async function move(item: Stored<Item>, event: string, atMs: number) {
  const change = await changingItem(item, { event }, atMs);
  await commitChanges([change]);
  return { item: change.after, types: typesIn(change.writes) };
}

/** The types of the events that a commit records. */
const typesIn = (writes: readonly Write[]): string[] =>
  writes.flatMap((write) => {
    const put = 'item' in write ? write.item.Put?.Item : undefined;
    return put?.sk?.S === 'EVENT' ? [put.type?.S ?? ''] : [];
  });

/** The shortest way from the first state to another. */
function wayTo(kind: KindName, state: string): readonly string[] {
  const ways = new Map<string, readonly string[]>([['Created', []]]);
  for (const [from, way] of ways)
    for (const [start, event, to] of TABLES[kind])
      if (start === from && !ways.has(to)) ways.set(to, [...way, event]);
  return ways.get(state) ?? expect.fail(`${kind}: no way to ${state}`);
}

/** The type that an event of a kind is told as: the family and the event, except that a transcript is never told restored. */
const typeOfEvent = (kind: KindName, event: string): string =>
  kind === 'transcript' && event === 'restored'
    ? 'AcademicTranscriptConcluded'
    : `${KINDS[kind].family}${event.charAt(0).toUpperCase()}${event.slice(1)}`;

const listedStates = async ({ kind, id }: Item) => {
  const owner = KINDS[kind].owner === 'organization' ? tenant.organizationId : tenant.institute.id;
  const found: string[] = [];
  for (const state of KINDS[kind].states.states) {
    const entries = await itemList(kind, owner, state).walk({ limit: 1_000 });
    if (entries.some((entry) => entry.id === id)) found.push(state);
  }
  return found;
};

describe.each(kinds)('the states of a %s', (kind) => {
  const { states } = KINDS[kind];

  test('are those of the specification, and begin with Created', () => {
    expect(sorted(states.states)).toEqual(sorted(STATUSES[kind].split(', ')));
    expect(states.states[0]).toBe('Created');
  });

  test('have the steps of the table, and no other', () => {
    const steps = states.states.flatMap((state) =>
      states.events.flatMap((event) => {
        const next = states.next(state, event);
        return next ? [`${state} ${event} ${next}`] : [];
      }),
    );
    expect(sorted(steps)).toEqual(sorted(TABLES[kind].map((step) => step.join(' '))));
  });

  test('are all reached', () => {
    for (const state of states.states) expect(wayTo(kind, state)).toBeDefined();
  });

  test('are named after the events that lead to them', () => {
    for (const [, event, to] of TABLES[kind])
      expect(to.toLowerCase()).toBe(event === 'restored' ? 'concluded' : event.toLowerCase());
  });

  test('are walked by any sequence of events as the table says, with list and event, and by nothing else', async () => {
    let atMs = Date.UTC(2027, 0, 1);
    // An event that is allowed, or any: by chance alone no walk would come far.
    const walk = fc.array(fc.tuple(fc.boolean(), fc.nat()), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(walk, async (draws) => {
        const created = await anItem(kind, atMs++);
        expect(created.types).toEqual([typeOfEvent(kind, 'created')]);
        let { item } = created;
        let last = 'created';
        for (const [isAllowed, number] of draws) {
          const allowed = states.events.filter((event) => states.accepts(item.state, event));
          const choices = isAllowed && allowed.length > 0 ? allowed : states.events;
          const event = choices[number % choices.length] ?? '';
          const expected = TABLES[kind].find(([from, moved]) => from === item.state && moved === event)?.[2];
          if (expected === undefined) {
            await expect(changingItem(item, { event }, atMs)).rejects.toMatchObject({
              code: 'InvalidStatus',
              details: { status: item.state, event },
            });
            continue;
          }
          const before = item;
          const moved = await move(item, event, atMs++);
          expect([moved.item.state, moved.types]).toEqual([expected, [typeOfEvent(kind, event)]]);
          // Whoever still has the item as it was before comes too late.
          await expect(move(before, event, atMs)).rejects.toBeInstanceOf(RaceLost);
          [item, last] = [moved.item, event];
        }
        expect(await stored(item)).toMatchObject({
          state: item.state,
          lastEvents: { [KINDS[kind].family]: last },
        });
        expect(await listedStates(item)).toEqual([item.state]);
        const rendered = await renderSubject(
          subjectOf(item, KINDS[kind].family),
          KINDS[kind].owner === 'organization' ? item.organizationId : item.instituteId,
        );
        expect(rendered).toMatchObject({
          type: typeOfEvent(kind, last),
          data: { id: item.id, status: item.state },
        });
      }),
      { numRuns: runs(8) },
    );
  });
});

describe('the types of events', () => {
  test('are those of the specification: each has an event that records it, and no other is recorded', async () => {
    const recorded = new Set<string>();
    const record = (types: readonly string[]) => types.forEach((type) => void recorded.add(type));
    for (const kind of kinds) {
      record((await anItem(kind, Date.now())).types);
      for (const [from, event] of TABLES[kind]) {
        let { item } = await anItem(kind, Date.now());
        for (const each of wayTo(kind, from)) ({ item } = await move(item, each, Date.now()));
        record((await move(item, event, Date.now())).types);
      }
    }
    // The registrar's action on its request is an event of the issuer's emission as well.
    const { item: emission } = await anItem('emission', Date.now());
    for (const event of ['created', ...KINDS.registration.states.events])
      record(typesIn((await announcing(emission, EMISSION_REGISTRATION, event)).writes));
    expect(sorted(recorded)).toEqual(sorted(TYPES));
  });

  test('have none of the six obsolete names, whatever family and event meet', () => {
    const families = [...kinds.map((kind) => KINDS[kind].family), EMISSION_REGISTRATION];
    const events = new Set(['created', ...kinds.flatMap((kind) => KINDS[kind].states.events)]);
    const possible = families.flatMap((family) => [...events].map((event) => typeOf(family, event)));
    for (const name of OBSOLETE) expect([name, possible.includes(name)]).toEqual([name, false]);
  });
});
