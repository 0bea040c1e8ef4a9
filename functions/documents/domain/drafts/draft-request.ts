import * as z from 'zod';
import { parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import { parseCpf } from '../../../../shared/taxpayer/cpf.ts';
import { CreateDocuments } from '../../contract/create-document.ts';
import type { ActionType } from '../../contract/flows/flow-actions.ts';
import { deadlineOf } from '../calendar.ts';
import { renderMark } from '../marks-sessions/placed-marks.ts';
import type { Draft, DraftPerson } from './draft.ts';

/** An action of the flow that a draft will have. */
export type DraftAction = {
  /** Its marks are by this. */
  readonly key: string;
  readonly type: ActionType;
  readonly step: number;
  /** Of a rule. */
  readonly group: string;
  readonly required: number;
  readonly isElectronic: boolean;
  readonly people: readonly DraftPerson[];
};

const TYPES = {
  sign: ['Signer', 'SignRule'],
  electronic: ['Signer', 'SignRule'],
  approve: ['Approver', 'ApproverRule'],
} as const satisfies Record<string, readonly [ActionType, ActionType]>;

/** The actions of a draft by step, in the order of its people. Observers have none. */
export function actionsOf({ people, required }: Pick<Draft, 'people' | 'required'>): DraftAction[] {
  const actions = new Map<string, DraftAction>();
  for (const person of people) {
    const { role, step, group, key: own } = person;
    if (role === 'observe') continue;
    const [single, rule] = TYPES[role];
    const key = group === '' ? own : `${role}:${step}:${group}`;
    const before = actions.get(key)?.people ?? [];
    actions.set(key, {
      key,
      type: group === '' ? single : rule,
      step,
      group,
      required: group === '' ? 1 : (required[group] ?? 1),
      isElectronic: role === 'electronic',
      people: [...before, person],
    });
  }
  return [...actions.values()].toSorted((one, other) => one.step - other.step);
}

/** What keeps a draft from being sent, and whom or what it is about. */
export type DraftProblem = { readonly code: ProblemCode; readonly about?: string };
type ProblemCode =
  | 'noFiles'
  | 'noPeople'
  | 'noName'
  | 'wrongIdentifier'
  | 'wrongEmail'
  | 'noEmail'
  | 'noAddressForCode'
  | 'companyApproves'
  | 'companyElectronic'
  | 'companyInGroup'
  | 'tooManyRequired'
  | 'deadlinePassed'
  | 'other';

const EMAIL = z.email().max(254);

const isEmail = (text: string): boolean => EMAIL.safeParse(text).success;

function problemsOfPerson({ name, identifier, email, role, group }: DraftPerson, at: number): DraftProblem[] {
  const about = name || email || String(at + 1);
  const isCompany = parseCnpj(identifier) !== undefined;
  const problems: readonly (readonly [boolean, ProblemCode])[] = [
    [name === '', 'noName'],
    [identifier !== '' && !isCompany && parseCpf(identifier) === undefined, 'wrongIdentifier'],
    [isCompany && role === 'approve', 'companyApproves'],
    [isCompany && role === 'electronic', 'companyElectronic'],
    // A rule has one company for all of its people, which no page asks for.
    [isCompany && role === 'sign' && group !== '', 'companyInGroup'],
    [email !== '' && !isEmail(email), 'wrongEmail'],
    // An observer is only told by mail. Others can be given their link.
    [email === '' && role === 'observe', 'noEmail'],
    [email === '' && role === 'electronic', 'noAddressForCode'],
  ];
  return problems.flatMap(([is, code]) => (is ? [{ code, about }] : []));
}

/** What is still missing or wrong. */
export function problemsOf(draft: Draft, nowMs: number): DraftProblem[] {
  const actions = actionsOf(draft);
  const found: DraftProblem[] = [
    ...(draft.files.length === 0 ? [{ code: 'noFiles' } as const] : []),
    ...(actions.length === 0 ? [{ code: 'noPeople' } as const] : []),
    ...draft.people.flatMap(problemsOfPerson),
    ...actions.flatMap(({ group, required, people }) =>
      required > people.length ? [{ code: 'tooManyRequired', about: group } as const] : [],
    ),
    ...(draft.deadline !== '' && !(deadlineOf(draft.deadline) > nowMs)
      ? [{ code: 'deadlinePassed' } as const]
      : []),
  ];
  if (found.length > 0) return found;
  const parsed = CreateDocuments.safeParse(requestOf(draft));
  return parsed.success
    ? []
    : parsed.error.issues.map(({ message, path }) => ({
        code: 'other',
        about: `${path.join('.')} ${message}`,
      }));
}

/** The call that a draft becomes: POST /api/documents takes the same. */
export const requestOf = (draft: Draft): z.input<typeof CreateDocuments> => ({
  files: draft.files.map(({ id, title, name, contentType }) => ({
    id,
    displayName: title,
    name,
    contentType,
  })),
  flowActions: actionsOf(draft).map((action) => flowActionOf(draft, action)),
  observers: draft.people
    .filter(({ role }) => role === 'observe')
    .map(({ key, name, email, identifier }) => ({
      ...(draft.kept?.[key]?.user as object | undefined),
      ...{ name, emailAddress: email, identifier },
    })),
  ...(draft.notifiedEmails && { notifiedEmails: [...draft.notifiedEmails] }),
  ...(draft.tags && { tags: draft.tags as z.input<typeof CreateDocuments>['tags'] }),
  folderId: draft.folderId,
  description: draft.message,
  language: draft.language,
  expirationDate: draft.deadline,
});

export function flowActionOf({ marks, kept }: Pick<Draft, 'marks' | 'kept'>, action: DraftAction) {
  const { key, type, step, group, required, isElectronic, people } = action;
  const [first] = people;
  const company = parseCnpj(first?.identifier ?? '');
  const isRule = type.endsWith('Rule');
  const userOf = (person: DraftPerson) => ({ ...kept?.[person.key]?.user, ...participantOf(person) });
  return {
    ...people.map((person) => kept?.[person.key]?.action).find((options) => options !== undefined),
    type,
    step,
    allowElectronicSignature: isElectronic,
    ...(isRule
      ? { ruleName: group, numberRequiredSignatures: required, signRuleUsers: people.map(userOf) }
      : { user: userOf(first as DraftPerson), ...(company && { requiredCompanyIdentifier: company }) }),
    prePositionedMarks: marks.filter((mark) => mark.actionKey === key).map(renderMark),
  };
}

// The CNPJ is of the certificate, and no CPF of its holder. A template may name a value.
const participantOf = ({ name, identifier, email }: DraftPerson) => ({
  name,
  identifier: identifier.includes('{{') ? identifier : (parseCpf(identifier) ?? ''),
  emailAddress: email,
});
