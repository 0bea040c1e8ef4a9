import type * as z from 'zod';
import type { Caller } from '../../../../../shared/access/caller.ts';
import { CancelCurriculum } from '../../../curriculums/contract.ts';
import { cancelCurriculum } from '../../../curriculums/domain/curriculums.ts';
import { ChangeDegree } from '../../../degrees/contract.ts';
import { changeDegree } from '../../../degrees/domain/change-degree.ts';
import { ChangeEmission } from '../../../emissions/contract.ts';
import { changeEmission, hasOpenRequest } from '../../../emissions/domain/change-emission.ts';
import type { EmissionData } from '../../../items/domain/data.ts';
import type { Item } from '../../../items/domain/item.ts';
import { KINDS, type KindName } from '../../../items/domain/kinds.ts';
import { ChangeRegistration } from '../../../registrations/contract.ts';
import { changeRegistration } from '../../../registrations/domain/change-registration.ts';
import { UpdateRestamp } from '../../../restamps/contract.ts';
import { retryRestamp } from '../../../restamps/domain/retry-restamp.ts';
import { ChangeTranscript } from '../../../transcripts/contract.ts';
import { changeTranscript } from '../../../transcripts/domain/transcripts.ts';

type FieldName = 'reason' | 'cancellationReason' | 'registrarInstituteId' | 'description' | 'files';

/** What a person may cause: the event, and the fields of its form. The field that may be left out has a question mark. */
export type OfferedChange = {
  readonly event: string;
  readonly fields: readonly (FieldName | `${FieldName}?`)[];
};

type Run = (caller: Caller, id: string, nowMs: number) => Promise<Item>;

/** A change that can run, or the names of the fields that do not hold. */
type ReadChange = { readonly run: Run } | { readonly wrong: readonly string[] };

type Changes = {
  readonly offers: readonly OfferedChange[];
  readonly read: (event: string, body: object) => ReadChange;
};

/** The changes of a kind by their forms, whose bodies are read by the contract of the API. */
const changes = <const Event extends string, Body extends object>(
  schema: z.ZodType<Body>,
  run: (caller: Caller, id: string, change: { event: Event } & Body, nowMs: number) => Promise<Item>,
  offers: Readonly<Record<Event, OfferedChange['fields']>>,
): Changes => ({
  offers: Object.entries<OfferedChange['fields']>(offers).map(([event, fields]) => ({ event, fields })),
  read: (event, body) => {
    const { data, error } = schema.safeParse(body);
    if (!data) return { wrong: error?.issues.map(({ path: [name] }) => String(name)) ?? [] };
    return { run: (caller, id, nowMs) => run(caller, id, { event: event as Event, ...data }, nowMs) };
  },
});

const REASON = ['reason'] as const;

/** What can be done with the items of each kind, by the operations that the API has for it. */
const CHANGES: Partial<Readonly<Record<KindName, Changes>>> = {
  degree: changes(ChangeDegree, changeDegree, {
    ...{ canceledTemporarily: REASON, restored: REASON },
    canceled: ['cancellationReason', 'reason'],
  }),
  emission: changes(ChangeEmission, changeEmission, {
    sentToRegistry: ['registrarInstituteId', 'description?'],
    canceled: REASON,
  }),
  registration: changes(ChangeRegistration, changeRegistration, {
    ...{ accepted: [], approved: [], registered: ['files?'], rejected: REASON },
    canceled: ['cancellationReason?', 'reason'],
  }),
  transcript: changes(ChangeTranscript, changeTranscript, {
    ...{ canceledTemporarily: REASON, restored: REASON, canceled: REASON },
  }),
  curriculum: changes(
    CancelCurriculum,
    (caller, id, { reason }, nowMs) => cancelCurriculum(caller, id, reason, nowMs),
    { canceled: REASON },
  ),
  restamp: changes(UpdateRestamp, (caller, id, _, nowMs) => retryRestamp(caller, id, nowMs), { updated: [] }),
};

/** What can be done with an item in its present state. */
export const offeredChanges = (item: Item): readonly OfferedChange[] =>
  (CHANGES[item.kind]?.offers ?? []).filter(
    ({ event }) =>
      KINDS[item.kind].states.accepts(item.state, event) &&
      !(event === 'sentToRegistry' && hasOpenRequest(item as Item<EmissionData>)),
  );

/** The change of a kind that a form asks for; undefined for an event that no form has. */
export function findChange(kind: KindName, event: string) {
  const found = CHANGES[kind];
  const offer = found?.offers.find((each) => each.event === event);
  return found && offer && { read: (body: object) => found.read(event, body) };
}
