import type { Insertion } from '../../../../shared/signing/xades/insertions.ts';
import { type StateOf, stateMachine } from '../../../../shared/store/state-machine.ts';
import type { ActionType, HolderType } from '../../contract/flows/flow-actions.ts';
import type { MarkType } from '../../contract/marks.ts';

/**
 * One action of a flow. It stays Created until every action of the steps before it is completed. An edit may put one that
 * nobody has begun to a later step.
 */
export const actionStates = stateMachine({
  Created: { reached: 'Pending' },
  Pending: {
    partlyCompleted: 'Pending',
    partlyRefused: 'Pending',
    completed: 'Completed',
    refused: 'Refused',
    postponed: 'Created',
  },
  Completed: {},
  Refused: {},
});

export type ActionState = StateOf<typeof actionStates>;

/** A participant of a flow. The identifier is a CPF. */
export type Person = {
  readonly id: string;
  readonly name: string;
  readonly identifier: string | null;
  readonly emailAddress: string | null;
  readonly phone: string | null;
  /** Of a person whose address was changed in the flow. */
  readonly partId?: string;
};

/**
 * The name of a person's part in links, started signatures and messages. Another address makes it another part, so that
 * what went to the earlier one opens and completes nothing.
 */
export const partIdOf = ({ id, partId = id }: Pick<Person, 'id' | 'partId'>): string => partId;

/** A code that is sent to somebody who signs electronically. */
export type CodeFactor = 'Email' | 'SMS';
/** What is asked of them. */
export type Factor = CodeFactor | 'AuthenticatorApp' | 'Liveness';

/** The record that a person did their part. */
export type Completion = {
  readonly by: Person;
  readonly atMs: number;
  /** The signer's certificate, by the SHA-256 of its DER; null for an approval and an electronic signature. */
  readonly certificate: { readonly subject: string; readonly issuer: string; readonly sha256: string } | null;
  /** Of an electronic signature: its evidence, and the places that the person chose. */
  readonly evidence?: {
    readonly sequence: number;
    readonly sha256: string;
    readonly marks?: readonly Mark[];
  };
  /** Hash of the token of a signature with a person's own certificate: whoever has the token has proved the CPF. */
  readonly proofHash?: string;
};

/** Where a signature is shown on a page, in points from the lower left corner, or from the upper left one. */
export type Mark = {
  readonly from?: 'top';
  /** The signature itself, unless it is said. */
  readonly type?: MarkType;
  /** The upload whose document it is on; of all documents of the call, unless it is said. */
  readonly uploadId?: string;
  readonly page: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** What an action signs of XML, and where its signature stands. */
export type XmlOptions = {
  /** The whole document, unless it is said. Prefixes of a path are those of the document. */
  readonly element?: { readonly id: string } | { readonly path: string };
  readonly insertion?: Insertion;
  /** Later signatures find no room in what is signed. */
  readonly isPlain?: true;
};

/** The record that a person refused. */
export type ActionRefusal = { readonly by: Person; readonly atMs: number; readonly reason: string };

export type FlowAction = {
  readonly id: string;
  readonly type: ActionType;
  readonly step: number;
  readonly state: ActionState;
  readonly title: string | null;
  readonly ruleName: string | null;
  /** One person for a signer or approver; for a rule, the people of whom `required` must act. */
  readonly people: readonly Person[];
  readonly required: number;
  readonly requiredCompanyIdentifier: string | null;
  /** Only a certificate of this ICP-Brasil type signs. */
  readonly requiredCertificateType: string | null;
  /** Only a certificate of such a holder signs. Flows older than this option have none written. */
  readonly requiredHolderType?: HolderType | null;
  /** May be signed without a certificate too, by whoever gives these. */
  readonly electronic?: { readonly factors: readonly Factor[] };
  /** By `marksIn`. Flows older than several marks have one written, or null. */
  readonly marks?: readonly Mark[];
  readonly mark?: Mark | null;
  /** What is signed of XML. */
  readonly xml?: XmlOptions;
  /** Whether initials were asked for: then `marks` has their places. */
  readonly initialsMode?: 'Optional' | 'Required';
  readonly completions: readonly Completion[];
  /** The refusal that ended it. */
  readonly refusal: ActionRefusal | null;
  /** Of a rule: a refusal ends it only once too few people are left. */
  readonly continuesIfRefused?: boolean;
  /** The refusals that did not end it. */
  readonly partRefusals?: readonly ActionRefusal[];
  /** When it was made with its version of the document. Flows older than this have none written. */
  readonly createdAtMs?: number;
  readonly pendingSinceMs: number | null;
};

export type Flow = readonly FlowAction[];

/** The act that an action requires of a person. */
export type ActionKind = 'signature' | 'approval';
const KINDS = {
  Signer: 'signature',
  SignRule: 'signature',
  Approver: 'approval',
  ApproverRule: 'approval',
} as const;
export const kindOf = ({ type }: Pick<FlowAction, 'type'>): ActionKind => KINDS[type];

/** The first step that is not completed; Infinity where all are. */
export const pendingStep = (flow: Flow): number =>
  Math.min(...flow.filter(({ state }) => state !== 'Completed').map(({ step }) => step));

/** Makes the actions of the first step that is not completed pending. */
export function openNextStep(flow: Flow, nowMs: number): Flow {
  const current = pendingStep(flow);
  return flow.map((action) =>
    action.step === current && actionStates.accepts(action.state, 'reached')
      ? { ...action, state: 'Pending', pendingSinceMs: nowMs }
      : action,
  );
}

export const isCompleted = (flow: Flow): boolean => flow.every(({ state }) => state === 'Completed');

/** The marks of an action. */
export const marksIn = ({ marks, mark }: Pick<FlowAction, 'marks' | 'mark'>): readonly Mark[] =>
  marks ?? (mark ? [mark] : []);

/** Whether a mark shows the signature itself. */
export const isSignatureMark = ({ type = 'SignatureVisualRepresentation' }: Mark): boolean =>
  type === 'SignatureVisualRepresentation';

/** Whether this person did their part of the action. */
export const hasActed = ({ completions }: FlowAction, person: Person): boolean =>
  completions.some(({ by }) => by.id === person.id);

/** Every refusal of an action, whether it ended it or not. */
export const refusalsOf = ({ refusal, partRefusals = [] }: FlowAction): readonly ActionRefusal[] =>
  refusal ? [...partRefusals, refusal] : partRefusals;

/** Whether this person's part is still to be done. */
export const isLeft = (action: FlowAction, person: Person): boolean =>
  !hasActed(action, person) && !refusalsOf(action).some(({ by }) => by.id === person.id);

/** One person's part in one action. */
export type Assignment = { readonly action: FlowAction; readonly person: Person };

/** The parts that can be done now, in the order of the flow. */
export const openAssignments = (flow: Flow): readonly Assignment[] =>
  flow
    .filter(({ state }) => actionStates.accepts(state, 'completed'))
    .flatMap((action) =>
      action.people
        .filter((person) => isLeft(action, person))
        .map((person): Assignment => ({ action, person })),
    );

/** The open part by this name in this action; undefined where it is not awaited. */
export const openAssignment = (flow: Flow, actionId: string, partId: string): Assignment | undefined =>
  openAssignments(flow).find(({ action, person }) => action.id === actionId && partIdOf(person) === partId);

/** How many signatures a flow asks for. */
export const requiredSignatures = (flow: Flow): number =>
  flow.filter((action) => kindOf(action) === 'signature').reduce((sum, { required }) => sum + required, 0);
