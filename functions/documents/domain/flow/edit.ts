import { randomUUID } from 'node:crypto';
import type { ActionType } from '../../contract/flows/flow-actions.ts';
import { MAX_ACTIONS } from '../../contract/flows/flow-actions.ts';
import type { FlowEditRequest } from '../../contract/flows/flow-edit.ts';
import { errors } from '../../errors.ts';
import { shownId } from '../guids.ts';
import {
  actionStates,
  type Flow,
  type FlowAction,
  marksIn,
  openNextStep,
  type Person,
  pendingStep,
  refusalsOf,
} from './flow.ts';
import { initialsOf, planFlow, unusedOption } from './new-flow.ts';

/** An action or an observer, as the record of an edit names it. */
export type EditedPart = {
  readonly id: string;
  readonly type: ActionType | 'Observer';
  readonly names: readonly string[];
  /** Of what was changed: the fields, and the addresses among them. */
  readonly fields?: readonly string[];
  readonly addresses?: readonly { readonly from: string | null; readonly to: string }[];
};

type ActionsEdit = Pick<FlowEditRequest, 'addedFlowActions' | 'editedFlowActions' | 'deletedFlowActionIds'>;
type EditedAction = NonNullable<FlowEditRequest['editedFlowActions']>[number];

/** A flow after an edit, and what the evidence says of it. */
export function editFlow(flow: Flow, edit: ActionsEdit, organizationId: string, nowMs: number) {
  const first = pendingStep(flow);
  const removed = (edit.deletedFlowActionIds ?? []).map((id) => requireUntouched(flow, id));
  const changed = (edit.editedFlowActions ?? []).map((each, index) => {
    const before = requireUntouched(flow, each.flowActionId);
    return { before, after: changeAction(before, each, `editedFlowActions.${index}`) };
  });
  const given = edit.addedFlowActions ?? [];
  const added = planFlow(given, organizationId, 'addedFlowActions').map((action, index) => ({
    ...action,
    id: randomUUID(),
    step: given[index]?.step || first,
    createdAtMs: nowMs,
  }));
  for (const { id, step } of [...changed.map(({ after }) => after), ...added])
    if (step < first)
      throw refused(id, `The step ${step} has passed: an action can be put to ${first} or later.`);
  const left = flow
    .filter((action) => !removed.includes(action))
    .map((action) => changed.find(({ before }) => before === action)?.after ?? action);
  const all = [...left, ...added];
  if (all.length === 0) throw refused(null, 'A flow has at least one action. Cancel the document instead.');
  if (all.length > MAX_ACTIONS)
    throw errors.refuse('InvalidRequest', {
      field: 'addedFlowActions',
      reason: `make more than ${MAX_ACTIONS} actions`,
    });
  return {
    flow: openNextStep(postponed(all), nowMs),
    added: added.map(partOf),
    changed: changed
      .map(({ before, after }) => ({ ...partOf(after), ...changesOf(before, after) }))
      .filter(({ fields }) => fields.length > 0),
    removed: removed.map(partOf),
  };
}

const refused = (flowActionId: string | null, reason: string) =>
  errors.refuse('InvalidFlowAction', { ...(flowActionId !== null && { flowActionId }), reason });

/** The action, if nobody has acted in it: what people have done is evidence, and stays. */
function requireUntouched(flow: Flow, id: string): FlowAction {
  const action = flow.find((each) => each.id === id);
  if (!action) throw refused(id, 'The flow has no action by this id.');
  if (actionStates.isTerminal(action.state) || action.completions.length > 0 || refusalsOf(action).length > 0)
    throw refused(id, 'Somebody has acted in it already, so that it is neither changed nor removed.');
  return action;
}

function changeAction(action: FlowAction, edit: EditedAction, field: string): FlowAction {
  const isRule = action.type.endsWith('Rule');
  const { participantEmailAddress: address, ruleName, signRuleUsers, prePositionedMarks } = edit;
  const users = signRuleUsers ?? [];
  if (isRule && address !== null) throw unusedOption(action, 'participantEmailAddress', field);
  if (!isRule && ruleName !== null) throw unusedOption(action, 'ruleName', field);
  if (!isRule && users.length > 0) throw unusedOption(action, 'signRuleUsers', field);
  const isOf = (userId: string) => (person: Person) => shownId('person', person.id) === userId;
  const unknown = users.find(({ userId }) => !action.people.some(isOf(userId)));
  if (unknown) throw refused(action.id, `The rule has nobody by the id ${unknown.userId}.`);
  const marks = prePositionedMarks?.length ? prePositionedMarks : marksIn(action);
  const { initialsMode, ...rest } = action;
  return {
    ...rest,
    step: edit.step || action.step,
    title: edit.title ?? action.title,
    ruleName: ruleName ?? action.ruleName,
    people: action.people.map((person) =>
      readdress(person, address ?? users.find(({ userId }) => isOf(userId)(person))?.emailAddress),
    ),
    marks,
    ...initialsOf(edit.signatureInitialsMode ?? initialsMode ?? null, marks, field),
  };
}

/** The same person at another address. Who had none keeps the links that an application has handed over. */
function readdress(person: Person, emailAddress: string | undefined): Person {
  const { emailAddress: before } = person;
  if (emailAddress === undefined || emailAddress.toLowerCase() === before?.toLowerCase()) return person;
  return { ...person, emailAddress, ...(before !== null && { partId: randomUUID() }) };
}

/** Actions that an edit put behind others wait for their turn again. */
function postponed(flow: Flow): Flow {
  const first = pendingStep(flow);
  return flow.map((action) =>
    action.step > first && actionStates.accepts(action.state, 'postponed')
      ? { ...action, state: 'Created', pendingSinceMs: null }
      : action,
  );
}

const partOf = ({ id, type, people }: FlowAction): EditedPart => ({
  id,
  type,
  names: people.map(({ name }) => name),
});

const FIELDS = ['step', 'title', 'ruleName', 'marks', 'initialsMode'] as const;

function changesOf(before: FlowAction, after: FlowAction) {
  const old = { ...before, marks: marksIn(before) };
  const isOther = (name: (typeof FIELDS)[number]): boolean =>
    JSON.stringify(old[name]) !== JSON.stringify(after[name]);
  const addresses = after.people.flatMap((person, index) => {
    const from = before.people[index]?.emailAddress ?? null;
    return person === before.people[index] ? [] : [{ from, to: person.emailAddress ?? '' }];
  });
  return {
    fields: [...FIELDS.filter(isOther), ...(addresses.length > 0 ? ['emailAddress'] : [])],
    ...(addresses.length > 0 && { addresses }),
  };
}
