import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSealedPin, sealPin } from '../../../shared/workstation/sealed-pin.ts';
import { runs } from '../../faults/fuzz.ts';

const agent = generateKeyPairSync('x25519');
const context = { agentId: 'agent-1', taskId: 'task-7' };
const seal = (pin: string) => sealPin(pin, agent.publicKey, context);

describe('a sealed PIN', () => {
  test('is known for the one it is, and for no other', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (pin, other) => {
        const box = seal(pin);
        expect(isSealedPin(pin, box, agent.privateKey, context)).toBe(true);
        expect(isSealedPin(other, box, agent.privateKey, context)).toBe(other === pin);
      }),
      { numRuns: runs(40) },
    );
  });

  test('does not open for another agent, another task, or with another key', () => {
    const box = seal('4321');
    const stranger = generateKeyPairSync('x25519').privateKey;
    expect(() => isSealedPin('4321', box, stranger, context)).toThrow();
    for (const other of [
      { ...context, taskId: 'task-8' },
      { ...context, agentId: 'agent-2' },
    ])
      expect(() => isSealedPin('4321', box, agent.privateKey, other)).toThrow();
  });

  test('does not open when any byte of it was changed', () => {
    const box = Buffer.from(seal('4321'), 'base64url');
    for (let at = 0; at < box.length; at++) {
      const changed = Buffer.from(box);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => isSealedPin('4321', changed.toString('base64url'), agent.privateKey, context)).toThrow();
    }
  });

  test('tells neither the PIN nor its length, and is another one each time', () => {
    const boxes = [
      '4321',
      '4321',
      'a much longer one, of more than sixty-four characters in all, as some are',
    ].map(seal);
    expect(new Set(boxes.map(({ length }) => length)).size).toBe(1);
    expect(new Set(boxes).size).toBe(3);
    for (const box of boxes) expect(Buffer.from(box, 'base64url').toString('latin1')).not.toContain('4321');
  });
});
