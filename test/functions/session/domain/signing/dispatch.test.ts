import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dispatchStates } from '../../../../../functions/session/domain/signing/dispatch.ts';

test('a dispatch is Sending until its document has arrived, once, and stays Sent until it is closed', () => {
  expect(dispatchStates.states.filter(dispatchStates.isTerminal)).toEqual(['Sent']);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...dispatchStates.events), { minLength: 1, maxLength: 5 }),
      (walk) => {
        const [first, ...others] = walk.map((event, at) =>
          dispatchStates.next(at === 0 ? 'Sending' : 'Sent', event),
        );
        expect(first).toBe('Sent');
        expect(others.every((state) => state === undefined)).toBe(true);
      },
    ),
  );
});
