import { expect, test } from 'vitest';
import { bioSessionStates } from '../../../../functions/pki/biometrics/domain/session.ts';
import { readSubject } from '../../../../functions/pki/biometrics/domain/start-session.ts';

const reached = (from: (typeof bioSessionStates.states)[number]) => {
  const found = new Set([from]);
  for (const state of found)
    for (const event of bioSessionStates.events) {
      const next = bioSessionStates.next(state, event);
      if (next) found.add(next);
    }
  return found;
};

test('every state of a session is reached from Open, and leads to Completed', () => {
  expect([...reached('Open')].toSorted()).toEqual([...bioSessionStates.states].toSorted());
  for (const state of bioSessionStates.states) expect(reached(state)).toContain('Completed');
});

test('what has ended is never open again, and what is completed is nothing else any more', () => {
  expect([...reached('Ended')]).toEqual(['Ended', 'Completed']);
  expect(bioSessionStates.isTerminal('Completed')).toBe(true);
});

test('only a session that has ended is completed', () => {
  expect(bioSessionStates.states.filter((state) => bioSessionStates.accepts(state, 'completed'))).toEqual([
    'Ended',
  ]);
});

test('a subject is one whatever way the identifier is written', () => {
  expect(readSubject('529.982.247-25', [])).toBe('52998224725');
  expect(readSubject('Ana@Example.com', ['Email'])).toBe('ana@example.com');
  expect(readSubject('11.222.333/0001-81', ['CPF', 'CNPJ'])).toBe('11222333000181');
  expect(readSubject('529.982.247-26', ['CPF'])).toBeUndefined();
  expect(readSubject('529.982.247-26', [])).toBe('529.982.247-26');
});
