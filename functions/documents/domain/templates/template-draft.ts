import { randomUUID } from 'node:crypto';
import { parseCnpj } from '../../../../shared/taxpayer/cnpj.ts';
import type { ActionType } from '../../contract/flows/flow-actions.ts';
import { MarkRequest } from '../../contract/marks.ts';
import { onAnyFile } from '../drafts/change-draft.ts';
import type { Draft, DraftMark, DraftPerson } from '../drafts/draft.ts';
import { actionsOf, flowActionOf, requestOf } from '../drafts/draft-request.ts';
import { kindOf } from '../flow/flow.ts';
import type { Template } from './template.ts';

type Content = Template['content'];
type Json = Readonly<Record<string, unknown>>;
type DraftParts = Pick<
  Draft,
  'people' | 'required' | 'marks' | 'kept' | 'message' | 'language' | 'notifiedEmails' | 'tags'
>;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const objectsIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.filter((each): each is Json => typeof each === 'object' && each !== null) : [];

/** The same people, marks and message as a draft has them. What its pages do not show is kept beside them. */
export function draftPartsOf({
  flowActions,
  observers,
  description,
  language,
  notifiedEmails,
  tags,
}: Content): DraftParts {
  const steps = stepsOf(flowActions);
  const rules = rulesOf(flowActions, steps);
  const people: DraftPerson[] = [];
  const marks: DraftMark[] = [];
  const kept: Record<string, NonNullable<Draft['kept']>[string]> = {};
  for (const [index, action] of flowActions.entries()) {
    const { user, signRuleUsers, prePositionedMarks, marks: further, ...rest } = action;
    const { type, step: _, ruleName: _name, numberRequiredSignatures: _number, ...others } = rest;
    const { allowElectronicSignature, ...options } = others;
    const role =
      kindOf({ type: type as ActionType }) === 'approval'
        ? 'approve'
        : allowElectronicSignature === true
          ? 'electronic'
          : 'sign';
    const [step, group] = [steps[index] ?? 1, rules[index]?.name ?? ''];
    const acting = group === '' ? objectsIn([user]) : objectsIn(signRuleUsers);
    const shown = role === 'sign' && group === '' ? shownCompany(options, acting) : '';
    const keptAction = shown === '' ? options : { ...options, requiredCompanyIdentifier: null };
    const added = acting.map((each) => personOf(each, { role, step, group, company: shown }));
    for (const { person, user: own } of added) kept[person.key] = { user: own, action: keptAction };
    people.push(...added.map(({ person }) => person));
    const actionKey = group === '' ? (added[0]?.person.key ?? '') : `${role}:${step}:${group}`;
    for (const mark of [...objectsIn(prePositionedMarks), ...objectsIn(further)])
      marks.push({ ...MarkRequest.parse(mark), actionKey });
  }
  for (const observer of observers ?? []) {
    const { user, ...own } = observer;
    const [given = own] = objectsIn([user]);
    const added = personOf(given, { role: 'observe', step: 1, group: '', company: '' });
    kept[added.person.key] = { user: added.user };
    people.push(added.person);
  }
  return {
    ...{ people, marks, kept, message: description ?? '', language: language ?? '' },
    required: Object.fromEntries(rules.flatMap((rule) => (rule ? [[rule.name, rule.required]] : []))),
    notifiedEmails: notifiedEmails ?? [],
    tags: tags ?? [],
  };
}

/**
 * The company that a page shows in the place of a CPF. Where a person has both, or the company is a value that is not known
 * yet, the page shows the CPF, and the company is kept: neither may get lost, or others could sign.
 */
const shownCompany = ({ requiredCompanyIdentifier }: Json, [user]: readonly Json[]): string =>
  textOf(user?.identifier) === '' ? (parseCnpj(textOf(requiredCompanyIdentifier)) ?? '') : '';

function personOf(
  { name, identifier, email, emailAddress, ...user }: Json,
  { company, ...part }: Pick<DraftPerson, 'role' | 'step' | 'group'> & { readonly company: string },
) {
  const person: DraftPerson = {
    key: randomUUID(),
    name: textOf(name),
    identifier: company || textOf(identifier),
    email: textOf(emailAddress) || textOf(email),
    ...part,
  };
  return { person, user };
}

/** Steps count from 1 without gaps in a draft; their order is the same. */
function stepsOf(actions: readonly Json[]): number[] {
  const given = actions.map(({ step }) => (typeof step === 'number' ? step : 1));
  const known = [...new Set(given)].toSorted((one, other) => one - other);
  return given.map((step) => known.indexOf(step) + 1);
}

/** The rules by action. People of a draft are a rule by its name, so no two have the same. */
function rulesOf(actions: readonly Json[], steps: readonly number[]) {
  const names = new Set<string>();
  return actions.map(({ type, ruleName, numberRequiredSignatures: required }, index) => {
    if (!textOf(type).endsWith('Rule')) return undefined;
    const wished = textOf(ruleName) || `${steps[index]}`;
    let name = wished;
    for (let at = 2; names.has(name); at += 1) name = `${wished} ${at}`;
    names.add(name);
    return { name, required: typeof required === 'number' && required > 0 ? required : 1 };
  });
}

/** The template that a draft of one describes, as a call would send it. */
export function contentOf(draft: Draft): unknown {
  const { template, marks } = draft;
  if (template?.kind !== 'edit') return undefined;
  const { observers, notifiedEmails, tags, description, language } = requestOf(draft);
  const bare = { ...draft, marks: onAnyFile(marks) };
  const content = {
    name: template.name,
    flowActions: actionsOf(draft).map((action) => flowActionOf(bare, action)),
    ...{ observers, notifiedEmails, tags, description, language, documentName: template.documentName },
    expiresAfterDays: template.days === '' ? null : Number(template.days),
  };
  // What is left out is not stored as undefined.
  return JSON.parse(JSON.stringify(content));
}
