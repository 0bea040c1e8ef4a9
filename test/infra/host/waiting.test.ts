import type { Socket } from 'node:net';
import { expect, test } from 'vitest';
import { waitingConnections } from '../../../infra/host/processes/waiting.ts';

const names = new WeakMap<Socket, string>();

function atClock() {
  let nowMs = 0;
  const waiting = waitingConnections(() => nowMs);
  return {
    add(...all: readonly string[]) {
      for (const name of all) {
        const socket = { remoteAddress: name.slice(0, 1) } as Socket;
        names.set(socket, name);
        waiting.add(socket);
      }
    },
    next: () => names.get(waiting.next() ?? ({} as Socket)),
    pass: (ms: number) => {
      nowMs += ms;
    },
  };
}

test('the addresses of connections that wait take turns, and of one the first goes first', () => {
  const { add, next } = atClock();
  add('a1', 'a2', 'a3', 'b1', 'c1', 'b2');
  expect(Array.from({ length: 7 }, next)).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', undefined]);
});

test('where the first has waited for more than a second, the newest of its address goes first', () => {
  const { add, next, pass } = atClock();
  add('a1', 'a2');
  pass(900);
  expect(next()).toBe('a1');
  pass(101);
  add('a3', 'b1', 'b2');
  expect([next(), next(), next(), next()]).toEqual(['a3', 'b1', 'a2', 'b2']);
});
