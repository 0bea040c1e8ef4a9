import { errors } from '../../errors.ts';
import {
  type ActionKind,
  type ActionRefusal,
  type ActionState,
  type Assignment,
  actionStates,
  type Completion,
  type Flow,
  type FlowAction,
  hasActed,
  isLeft,
  kindOf,
  openAssignment,
  openNextStep,
  type Person,
  partIdOf,
  refusalsOf,
} from './flow.ts';

/** Records that this person did their part of this action. Refused when it is not awaited. */
export function completeAction(flow: Flow, actionId: string, completion: Completion): Flow {
  const { action } = requireAssignment(flow, actionId, completion.by);
  const completions = [...action.completions, completion];
  const state = completions.length >= action.required ? nextStateOf(flow, action, 'completed') : action.state;
  return openNextStep(replaceAction(flow, { ...action, state, completions }), completion.atMs);
}

/**
 * Records that this person refused. Nobody can act on the flow afterwards, unless the action is a rule that continues:
 * others of it are left, and enough of them.
 */
export function refuseAction(flow: Flow, actionId: string, refusal: ActionRefusal): Flow {
  const { action } = requireAssignment(flow, actionId, refusal.by);
  if (endsByRefusal(action))
    return replaceAction(flow, { ...action, state: nextStateOf(flow, action, 'refused'), refusal });
  const partRefusals = [...(action.partRefusals ?? []), refusal];
  return replaceAction(flow, { ...action, state: nextStateOf(flow, action, 'partlyRefused'), partRefusals });
}

/** Whether one more refusal ends the action. */
export function endsByRefusal(action: FlowAction): boolean {
  const left = action.people.filter((person) => isLeft(action, person)).length;
  return !action.continuesIfRefused || action.completions.length + left - 1 < action.required;
}

function requireAssignment(flow: Flow, actionId: string, by: Person): Assignment {
  const assignment = openAssignment(flow, actionId, partIdOf(by));
  if (assignment) return assignment;
  throw actionNotAwaited(flow, { flowActionId: actionId, isPerson: ({ id }) => id === by.id });
}

type ActionEvent = 'completed' | 'refused' | 'partlyRefused';

function nextStateOf(flow: Flow, { state, id }: FlowAction, event: ActionEvent): ActionState {
  const next = actionStates.next(state, event);
  if (next === undefined) throw actionNotAwaited(flow, { flowActionId: id });
  return next;
}

const replaceAction = (flow: Flow, action: FlowAction): Flow =>
  flow.map((each) => (each.id === action.id ? action : each));

/** The action, the person and the kind of act that a request names. */
type ActionQuery = {
  readonly flowActionId?: string | null;
  readonly isPerson?: (person: Person) => boolean;
  readonly kind?: ActionKind | undefined;
};

/**
 * The refusal of an act that is not awaited, with the most useful reason.
 * @example throw actionNotAwaited(document.flow, { flowActionId, kind: 'approval' });
 */
export function actionNotAwaited(flow: Flow, query: ActionQuery) {
  const { flowActionId = null } = query;
  return errors.refuse('InvalidFlowAction', {
    ...(flowActionId !== null && { flowActionId }),
    reason: reasonOf(flow, query),
  });
}

function reasonOf(flow: Flow, { flowActionId = null, isPerson, kind }: ActionQuery): string {
  const actions = flow.filter(({ id }) => flowActionId === null || id === flowActionId);
  if (actions.length === 0) return 'The flow has no action by this id.';
  const theirs = isPerson ? actions.filter(({ people }) => people.some(isPerson)) : actions;
  if (theirs.length === 0)
    return flowActionId === null
      ? 'Nobody by this CPF or e-mail address takes part in the flow.'
      : 'The action is not one of this person.';
  const ofKind = theirs.filter((action) => kind === undefined || kindOf(action) === kind);
  const [other] = theirs;
  if (ofKind.length === 0 && other) return `The action asks for ${A_KIND[kindOf(other)]}.`;
  return reasonOfState(ofKind, isPerson);
}

const A_KIND: Record<ActionKind, string> = { signature: 'a signature', approval: 'an approval' };

function reasonOfState(actions: readonly FlowAction[], isPerson: ActionQuery['isPerson']): string {
  if (actions.some(({ state }) => actionStates.accepts(state, 'reached')))
    return 'It is not their turn yet: steps before theirs are not completed.';
  const didAct = (action: FlowAction): boolean =>
    action.people.some((person) => isPerson?.(person) && hasActed(action, person));
  const didRefuse = (action: FlowAction): boolean => refusalsOf(action).some(({ by }) => isPerson?.(by));
  if (actions.some(didRefuse)) return 'This person has refused already.';
  if (actions.some(didAct)) return 'This person has acted already.';
  return 'The action has ended.';
}
