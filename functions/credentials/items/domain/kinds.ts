import { type StateMachine, stateMachine } from '../../../../shared/store/state-machine.ts';

// The state tables of the eight items. Each state is the one that its event leads to, so that no event lacks a state.

export const degreeStates = stateMachine({
  Created: { concluded: 'Concluded', canceled: 'Canceled' },
  Concluded: { canceled: 'Canceled', canceledTemporarily: 'CanceledTemporarily' },
  CanceledTemporarily: { restored: 'Concluded', canceled: 'Canceled' },
  Canceled: {},
});

/** It may be sent again when its registration request has come to an end without a registration. */
export const emissionStates = stateMachine({
  Created: { signed: 'Signed', canceled: 'Canceled' },
  Signed: { sentToRegistry: 'SentToRegistry', canceled: 'Canceled' },
  SentToRegistry: { sentToRegistry: 'SentToRegistry', registered: 'Registered', canceled: 'Canceled' },
  Registered: {},
  Canceled: {},
});

/** A registration request. Created is "Aguardando aceitação". The same states are an emission's `registrationStatus`. */
export const registrationStates = stateMachine({
  Created: { accepted: 'Accepted', rejected: 'Rejected', canceled: 'Canceled' },
  Accepted: { approved: 'Approved', rejected: 'Rejected', canceled: 'Canceled' },
  Approved: { registered: 'Registered', canceled: 'Canceled' },
  Registered: { signed: 'Signed', canceled: 'Canceled' },
  Signed: {},
  Rejected: {},
  Canceled: {},
});

export const transcriptStates = stateMachine({
  Created: { concluded: 'Concluded', canceled: 'Canceled' },
  Concluded: { canceled: 'Canceled', canceledTemporarily: 'CanceledTemporarily' },
  CanceledTemporarily: { restored: 'Concluded', canceled: 'Canceled' },
  Canceled: {},
});

export const curriculumStates = stateMachine({
  Created: { concluded: 'Concluded', canceled: 'Canceled' },
  Concluded: { canceled: 'Canceled' },
  Canceled: {},
});

export const cancellationListStates = stateMachine({ Created: { signed: 'Signed' }, Signed: {} });

export const inspectionFileStates = stateMachine({
  Created: { signed: 'Signed', generationError: 'GenerationError' },
  Signed: {},
  GenerationError: {},
});

export const restampStates = stateMachine({
  Created: { updated: 'Updated', applied: 'Applied', applyingError: 'ApplyingError' },
  Updated: { updated: 'Updated', applied: 'Applied', applyingError: 'ApplyingError' },
  ApplyingError: { updated: 'Updated' },
  Applied: {},
});

/** What the machinery of items knows of one kind. */
export type Kind = {
  readonly states: StateMachine<string, string>;
  /** The beginning of its webhook types. */
  readonly family: string;
  /** Whose webhook its events go to. */
  readonly owner: 'organization' | 'institute';
  /** The segment of its routes. */
  readonly path: string;
  /** The event of an item whose last file is signed. Null for one that nobody signs. */
  readonly signedEvent: string | null;
  /** The state in which its files go to their signers. */
  readonly handedOverIn: string;
};

type Rest = Partial<Pick<Kind, 'owner' | 'handedOverIn'>>;

/** The machinery takes events as they come from routes: a table answers undefined for one that it does not have. */
const kind = <State extends string, Event extends string>(
  states: StateMachine<State, Event>,
  names: Pick<Kind, 'family' | 'path'> & { readonly signedEvent: Event | null } & Rest,
): Kind => ({
  owner: 'organization',
  handedOverIn: 'Created',
  ...names,
  states: states as unknown as Kind['states'],
});

export const KINDS = {
  degree: kind(degreeStates, { family: 'Degree', path: 'degrees', signedEvent: 'concluded' }),
  emission: kind(emissionStates, { family: 'Emission', path: 'emissions', signedEvent: 'signed' }),
  registration: kind(registrationStates, {
    ...{ family: 'Registration', path: 'registrations', signedEvent: 'signed', handedOverIn: 'Registered' },
  }),
  transcript: kind(transcriptStates, {
    ...{ family: 'AcademicTranscript', path: 'academic-transcripts', signedEvent: 'concluded' },
  }),
  curriculum: kind(curriculumStates, { family: 'Curriculum', path: 'curriculums', signedEvent: 'concluded' }),
  cancellationList: kind(cancellationListStates, {
    ...{ family: 'CancellationList', path: 'cancellation-lists', signedEvent: 'signed', owner: 'institute' },
  }),
  inspectionFile: kind(inspectionFileStates, {
    ...{ family: 'InspectionFile', path: 'inspection-files', signedEvent: 'signed', owner: 'institute' },
  }),
  restamp: kind(restampStates, { family: 'Restamp', path: 'restamps', signedEvent: null }),
} as const satisfies Readonly<Record<string, Kind>>;

export type KindName = keyof typeof KINDS;

/** The family of the events that the registrar's actions on its request cause at the issuer. */
export const EMISSION_REGISTRATION = 'EmissionRegistration';

export const KIND_NAMES = Object.keys(KINDS) as KindName[];

/** The segments of routes by which the kinds are named. */
export const KIND_PATHS = KIND_NAMES.map((name) => KINDS[name].path) as [string, ...string[]];

/** @example kindAtPath('academic-transcripts') // 'transcript' */
export function kindAtPath(path: string): KindName {
  const found = KIND_NAMES.find((name) => KINDS[name].path === path);
  if (!found) throw new Error(`No kind of item has the path ${path}.`);
  return found;
}
