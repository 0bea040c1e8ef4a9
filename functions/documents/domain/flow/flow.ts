import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';

/** One action of a flow. It waits as Created until every action of the steps before it is completed. */
export const actionStates = stateMachine({
  Created: { reached: 'Pending' },
  Pending: { partlyCompleted: 'Pending', completed: 'Completed', refused: 'Refused' },
  Completed: {},
  Refused: {},
});

export const ACTION_TYPES = ['Signer', 'Approver', 'SignRule', 'ApproverRule'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];
export type ActionState = StateOf<typeof actionStates>;

/** Whose a certificate is: a person's (e-CPF) or a company's (e-CNPJ). */
export const HOLDER_TYPES = ['Individual', 'Company'] as const;
export type HolderType = (typeof HOLDER_TYPES)[number];

/** Who takes part in a flow. The identifier is a CPF. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly identifier: string | null;
  readonly emailAddress: string | null;
  readonly phone: string | null;
};

/** That somebody did their part. */
export type Completion = {
  readonly by: Person;
  readonly atMs: number;
  /** The signer's certificate, by the SHA-256 of its DER; an approval has none. */
  readonly certificate: { readonly subject: string; readonly issuer: string; readonly sha256: string } | null;
};

/** Where a signature is shown on a page, in points from the lower left corner. */
export type Mark = {
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type FlowAction = {
  readonly id: string;
  readonly type: ActionType;
  readonly step: number;
  readonly state: ActionState;
  readonly title: string | null;
  readonly ruleName: string | null;
  /** One for a signer or approver; those of whom `required` must act for a rule. */
  readonly people: readonly Person[];
  readonly required: number;
  readonly requiredCompanyIdentifier: string | null;
  /** A type of ICP-Brasil: only a certificate of it signs. */
  readonly requiredCertificateType: string | null;
  /** Only a certificate of such a holder signs. Flows of before the option have none. */
  readonly requiredHolderType?: HolderType | null;
  readonly mark: Mark | null;
  readonly completions: readonly Completion[];
  readonly refusal: { readonly by: Person; readonly atMs: number; readonly reason: string } | null;
  readonly pendingSinceMs: number | null;
};

export type Flow = readonly FlowAction[];

/** What an action asks of a person. */
export type ActionKind = 'signature' | 'approval';
const KINDS = {
  Signer: 'signature',
  SignRule: 'signature',
  Approver: 'approval',
  ApproverRule: 'approval',
} as const;
export const kindOf = ({ type }: Pick<FlowAction, 'type'>): ActionKind => KINDS[type];

/** Moves actions on: those of the first step that is not completed become pending. */
export function openNextStep(flow: Flow, nowMs: number): Flow {
  const open = flow.filter(({ state }) => state !== 'Completed').map(({ step }) => step);
  const current = Math.min(...open);
  return flow.map((action) =>
    action.step === current && actionStates.allows(action.state, 'reached')
      ? { ...action, state: 'Pending', pendingSinceMs: nowMs }
      : action,
  );
}

export const isCompleted = (flow: Flow): boolean => flow.every(({ state }) => state === 'Completed');

/** Whether this person did their part of the action. */
export const hasActed = ({ completions }: FlowAction, person: Person): boolean =>
  completions.some(({ by }) => by.id === person.id);

export type Assignment = { readonly action: FlowAction; readonly person: Person };

/** The people who may act now, each with their action, in the order of the flow. */
export const openAssignments = (flow: Flow): readonly Assignment[] =>
  flow
    .filter(({ state }) => state === 'Pending')
    .flatMap((action) =>
      action.people
        .filter((person) => !hasActed(action, person))
        .map((person): Assignment => ({ action, person })),
    );
