import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACTION_TYPES } from '../../../../../functions/documents/contract/flows/flow-actions.ts';
import { completeAction, refuseAction } from '../../../../../functions/documents/domain/flow/actions.ts';
import {
  actionStates,
  type Flow,
  type FlowAction,
  isCompleted,
  marksIn,
  openAssignments,
  openNextStep,
  type Person,
} from '../../../../../functions/documents/domain/flow/flow.ts';

const person = (id: string): Person => ({
  id,
  name: `Person ${id}`,
  identifier: null,
  emailAddress: null,
  phone: null,
});

const action = (id: string, more: Partial<FlowAction> = {}): FlowAction => ({
  id,
  type: 'Signer',
  step: 1,
  state: 'Created',
  title: null,
  ruleName: null,
  people: [person(`person of ${id}`)],
  required: 1,
  requiredCompanyIdentifier: null,
  requiredCertificateType: null,
  marks: [],
  completions: [],
  refusal: null,
  pendingSinceMs: null,
  ...more,
});

const states = (flow: Flow) => flow.map(({ state }) => state);
const by = (flow: Flow, id: string, who = person(`person of ${id}`), atMs = 5) =>
  completeAction(flow, id, { by: who, atMs, certificate: null });

const anyFlow: fc.Arbitrary<Flow> = fc
  .array(
    fc.record({
      type: fc.constantFrom(...ACTION_TYPES),
      step: fc.integer({ min: 1, max: 4 }),
      people: fc.integer({ min: 1, max: 3 }),
      required: fc.integer({ min: 1, max: 3 }),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((shapes) =>
    openNextStep(
      shapes.map(({ type, step, people, required }, index) => {
        const count = type.endsWith('Rule') ? people : 1;
        return action(String(index), {
          type,
          step,
          people: Array.from({ length: count }, (_, n) => person(`${index}.${n}`)),
          required: Math.min(required, count),
        });
      }),
      1,
    ),
  );

test('an action that was stored with one mark, or with none, still has it', () => {
  const mark = { page: 1, x: 1, y: 2, width: 30, height: 40 };
  expect([marksIn({ mark }), marksIn({ mark: null }), marksIn({ marks: [mark, mark] })]).toEqual([
    [mark],
    [],
    [mark, mark],
  ]);
});

describe('the steps of a flow', () => {
  test('open one after the other; actions of one step are open side by side', () => {
    const flow = openNextStep([action('a'), action('b'), action('c', { step: 2 })], 1);
    expect(states(flow)).toEqual(['Pending', 'Pending', 'Created']);
    expect(states(by(flow, 'b'))).toEqual(['Pending', 'Completed', 'Created']);
    expect(states(by(by(flow, 'b'), 'a'))).toEqual(['Completed', 'Completed', 'Pending']);
  });

  test('need not begin with 1 or be without gaps', () => {
    const flow = openNextStep([action('a', { step: 7 }), action('b', { step: 3 })], 1);
    expect(states(flow)).toEqual(['Created', 'Pending']);
  });

  test('say since when an action waits', () => {
    const flow = by(openNextStep([action('a'), action('b', { step: 2 })], 1), 'a', undefined, 9);
    expect(flow.map(({ pendingSinceMs }) => pendingSinceMs)).toEqual([1, 9]);
  });

  test('are completed by any order of the people who are awaited, and by nobody else', () => {
    fc.assert(
      fc.property(anyFlow, fc.infiniteStream(fc.nat()), (start, choices) => {
        let flow = start;
        let lowest = 0;
        while (!isCompleted(flow)) {
          const open = openAssignments(flow);
          expect(open.length).toBeGreaterThan(0);
          const steps = new Set(open.map(({ action: { step } }) => step));
          expect(steps.size).toBe(1);
          const [step = 0] = steps;
          expect(step).toBeGreaterThanOrEqual(lowest);
          lowest = step;
          const choice = open[Number(choices.next().value) % open.length];
          if (!choice) throw new Error('unreachable');
          flow = by(flow, choice.action.id, choice.person);
        }
        expect(openAssignments(flow)).toEqual([]);
        for (const { completions, required } of flow) {
          expect(completions).toHaveLength(required);
          expect(new Set(completions.map(({ by: { id } }) => id)).size).toBe(required);
        }
      }),
    );
  });
});

describe('an action', () => {
  test('of a rule is completed by as many of its people as it asks for, each once', () => {
    const people = [person('x'), person('y'), person('z')];
    const flow = openNextStep([action('rule', { type: 'SignRule', people, required: 2 })], 1);
    const once = by(flow, 'rule', person('y'));
    expect(states(once)).toEqual(['Pending']);
    expect(() => by(once, 'rule', person('y'))).toThrow(/does not await/);
    expect(states(by(once, 'rule', person('x')))).toEqual(['Completed']);
  });

  test.each([
    ['of a later step', 'c', 'person of c', 'not their turn yet'],
    ['of another person', 'b', 'person of c', 'not one of this person'],
    ['that is not in the flow', 'nope', 'person of a', 'no action by this id'],
    ['that this person has done', 'a', 'person of a', 'acted already'],
  ])('%s is refused as InvalidFlowAction, and the reason says so', (_, id, who, reason) => {
    const flow = by(openNextStep([action('a'), action('b'), action('c', { step: 2 })], 1), 'a');
    expect(() => by(flow, id, person(who))).toThrow(
      expect.objectContaining({
        code: 'InvalidFlowAction',
        details: { flowActionId: id, reason: expect.stringContaining(reason) },
      }) as Error,
    );
  });

  test('that is refused ends the flow for everybody in it', () => {
    const flow = openNextStep([action('a'), action('b', { step: 2 })], 1);
    const after = refuseAction(flow, 'a', { by: person('person of a'), atMs: 3, reason: 'Wrong amount' });
    expect(states(after)).toEqual(['Refused', 'Created']);
    expect(openAssignments(after)).toEqual([]);
    expect(isCompleted(after)).toBe(false);
    expect(() => by(after, 'a')).toThrow();
  });

  test('has the states of the specification', () => {
    expect(actionStates.states).toEqual(['Created', 'Pending', 'Completed', 'Refused']);
    expect(actionStates.states.filter(actionStates.isTerminal)).toEqual(['Completed', 'Refused']);
  });
});
