import { errors } from '../../errors.ts';
import { type Flow, type FlowAction, hasActed, type Kind, kindOf, type Person } from './flow.ts';

/** What a caller named: an action, a person, or both; and what they want to do. */
type Named = {
  readonly flowActionId?: string | null;
  readonly isPerson?: (person: Person) => boolean;
  readonly kind?: Kind | undefined;
};

/**
 * The refusal of an act that nobody waits for, with the reason that helps most.
 * @example throw notAwaited(document.flow, { flowActionId, kind: 'approval' });
 */
export function notAwaited(flow: Flow, named: Named) {
  const { flowActionId = null } = named;
  return errors.refuse('InvalidFlowAction', {
    ...(flowActionId !== null && { flowActionId }),
    reason: reasonOf(flow, named),
  });
}

function reasonOf(flow: Flow, { flowActionId = null, isPerson, kind }: Named): string {
  const actions = flow.filter(({ id }) => flowActionId === null || id === flowActionId);
  if (actions.length === 0) return 'The flow has no action by this id.';
  const theirs = isPerson ? actions.filter(({ people }) => people.some(isPerson)) : actions;
  if (theirs.length === 0)
    return flowActionId === null
      ? 'Nobody by this CPF or e-mail address takes part in the flow.'
      : 'The action is not one of this person.';
  const asked = theirs.filter((action) => kind === undefined || kindOf(action) === kind);
  const [other] = theirs;
  if (asked.length === 0 && other) return `The action asks for ${A_KIND[kindOf(other)]}.`;
  return whyNot(asked, isPerson);
}

const A_KIND: Record<Kind, string> = { signature: 'a signature', approval: 'an approval' };

function whyNot(actions: readonly FlowAction[], isPerson: Named['isPerson']): string {
  if (actions.some(({ state }) => state === 'Created'))
    return 'It is not their turn yet: steps before theirs are not completed.';
  const didAct = (action: FlowAction): boolean =>
    action.people.some((person) => isPerson?.(person) && hasActed(action, person));
  if (actions.some(didAct)) return 'This person has acted already.';
  return 'The action has ended.';
}
