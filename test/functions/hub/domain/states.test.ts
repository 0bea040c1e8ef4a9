import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { authorizationStates } from '../../../../functions/hub/domain/authorization.ts';
import { sessionStates } from '../../../../functions/hub/domain/session.ts';
import type { StateMachine } from '../../../../shared/store/state-machine.ts';

/** The events of a random life that were allowed, and the states that they led to. */
function lived<S extends string, E extends string>(
  machine: StateMachine<S, E>,
  from: S,
  tried: readonly E[],
) {
  const steps: { event: E; to: S }[] = [];
  let state = from;
  for (const event of tried) {
    const to = machine.next(state, event);
    if (to === undefined) continue;
    state = to;
    steps.push({ event, to });
  }
  return steps;
}

const anyLife = <S extends string, E extends string>(
  machine: StateMachine<S, E>,
  from: S,
  holds: (steps: { event: E; to: S }[]) => void,
) =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...machine.events), { maxLength: 30 }), (tried) =>
      holds(lived(machine, from, tried)),
    ),
  );

describe('an authorization', () => {
  test('waits for its user, who returns, denies it, or brings a failure', () => {
    const ways = authorizationStates.events.map((event) => authorizationStates.next('Pending', event));
    expect(ways).toEqual(['Returned', 'Denied', 'Failed']);
  });

  test('is returned with once at most, and never waits again', () => {
    anyLife(authorizationStates, 'Pending', (steps) => {
      expect(steps.filter(({ event }) => event === 'returned').length).toBeLessThanOrEqual(1);
      expect(steps.map(({ to }) => to)).not.toContain('Pending');
    });
  });

  test('that was denied or failed is over', () => {
    expect(authorizationStates.states.filter(authorizationStates.isTerminal)).toEqual(['Denied', 'Failed']);
  });
});

describe('a session', () => {
  test('is claimed by one call at a time, and again only after it was given back', () => {
    anyLife(sessionStates, 'Usable', (steps) => {
      const turns = steps.map(({ event }) => event).filter((event) => event !== 'rejected');
      for (const [at, event] of turns.entries())
        if (event === 'claimed' && at > 0) expect(turns[at - 1]).toBe('givenBack');
    });
  });

  test('that was spent or rejected is used for good', () => {
    expect(sessionStates.isTerminal('Used')).toBe(true);
    anyLife(sessionStates, 'Usable', (steps) => {
      const end = steps.findIndex(({ event }) => event === 'spent' || event === 'rejected');
      if (end >= 0) expect(steps.slice(end)).toEqual([{ event: steps[end]?.event, to: 'Used' }]);
    });
  });
});
