import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { taskStates } from '../../../../../functions/session/domain/workstations/task.ts';

const anyEvent = fc.constantFrom(...taskStates.events);

describe('the states of a task', () => {
  test('are waiting, taken, done and expired; nothing leads out of the last two', () => {
    expect(taskStates.states).toEqual(['Waiting', 'Taken', 'Done', 'Expired']);
    expect(taskStates.states.filter(taskStates.isTerminal)).toEqual(['Done', 'Expired']);
  });

  test('however it goes, a task is answered at most once, only after it was handed out, and never after it was given up', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 30 }), (walk) => {
        let state: (typeof taskStates.states)[number] = 'Waiting';
        const happened: string[] = [];
        for (const event of walk) {
          const next = taskStates.next(state, event);
          if (next === undefined) continue;
          happened.push(event);
          state = next;
        }
        const answered = happened.indexOf('answered');
        expect(happened.filter((event) => event === 'answered').length).toBeLessThanOrEqual(1);
        if (answered >= 0) {
          expect(happened.slice(0, answered)).toContain('handedOut');
          expect(happened.slice(0, answered)).not.toContain('gaveUp');
          expect(happened.slice(answered + 1)).toEqual([]);
        }
      }),
    );
  });
});
