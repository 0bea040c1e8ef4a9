import { actionStates } from './action-states.ts';
import {
  type ActionState,
  awaited,
  type Completion,
  type Flow,
  type FlowAction,
  type Matched,
  type Person,
  reached,
} from './flow.ts';
import { notAwaited } from './not-awaited.ts';

/** That this person did their part of this action. Refused when it is not awaited. */
export function completed(flow: Flow, actionId: string, completion: Completion): Flow {
  const { action } = awaitedOr(flow, actionId, completion.by);
  const completions = [...action.completions, completion];
  const state = completions.length >= action.required ? nextOf(flow, action, 'completed') : action.state;
  return reached(replaced(flow, { ...action, state, completions }), completion.atMs);
}

/** That this person refused. Nobody acts on the flow afterwards. */
export function refused(flow: Flow, actionId: string, refusal: NonNullable<FlowAction['refusal']>): Flow {
  const { action } = awaitedOr(flow, actionId, refusal.by);
  return replaced(flow, { ...action, state: nextOf(flow, action, 'refused'), refusal });
}

function awaitedOr(flow: Flow, actionId: string, by: Person): Matched {
  const match = awaited(flow).find(({ action, person }) => action.id === actionId && person.id === by.id);
  if (match) return match;
  throw notAwaited(flow, { flowActionId: actionId, isPerson: ({ id }) => id === by.id });
}

function nextOf(flow: Flow, { state, id }: FlowAction, event: 'completed' | 'refused'): ActionState {
  const next = actionStates.next(state, event);
  if (next === undefined) throw notAwaited(flow, { flowActionId: id });
  return next;
}

const replaced = (flow: Flow, action: FlowAction): Flow =>
  flow.map((each) => (each.id === action.id ? action : each));
