import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { deliveryStates } from '../../../../shared/webhooks/deliveries/delivery.ts';

describe('a delivery', () => {
  test('is pending until it is confirmed or given up', () => {
    expect(deliveryStates.next('Pending', 'confirmed')).toBe('Confirmed');
    expect(deliveryStates.next('Pending', 'failed')).toBe('Pending');
    expect(deliveryStates.next('Pending', 'exhausted')).toBe('Exhausted');
  });

  test('can be replayed once it was confirmed or given up, and not before', () => {
    expect(deliveryStates.next('Confirmed', 'replayed')).toBe('Pending');
    expect(deliveryStates.next('Exhausted', 'replayed')).toBe('Pending');
    expect(deliveryStates.accepts('Pending', 'replayed')).toBe(false);
  });

  test('stays in its table whatever happens, and only a replay leaves an end', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...deliveryStates.events)), (events) => {
        let state: (typeof deliveryStates.states)[number] = 'Pending';
        for (const event of events) {
          const next = deliveryStates.next(state, event);
          if (state !== 'Pending' && event !== 'replayed') expect(next).toBeUndefined();
          state = next ?? state;
          expect(deliveryStates.states).toContain(state);
        }
      }),
    );
  });
});
