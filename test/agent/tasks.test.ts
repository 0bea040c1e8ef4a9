import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Registrar } from '../../agent/certificates.ts';
import { holderOf } from '../../agent/holder/holder.ts';
import type { Identity } from '../../agent/identity.ts';
import { type KeyStore, KeyUnusable, PinRejected } from '../../agent/keys/key-store.ts';
import type { Parts } from '../../agent/parts.ts';
import { DEFAULT_TIMES, pinKeeper } from '../../agent/pin-keeper.ts';
import { doTask } from '../../agent/tasks.ts';
import type { AgentTask } from '../../shared/workstation/messages.ts';
import { sealPin } from '../../shared/workstation/sealed-pin.ts';

const x25519 = generateKeyPairSync('x25519');
const never = new AbortController().signal;

/** An agent whose token takes 4321, and then signs as it is told. */
async function parts(sign: () => Promise<Buffer>): Promise<Parts & { presented: string[]; said: string[] }> {
  const presented: string[] = [];
  const said: string[] = [];
  const store = {
    present: async (pin: string) => {
      presented.push(pin);
      return { kind: 'accepted', certificates: [] };
    },
    sign,
    lock: () => undefined,
  } as unknown as KeyStore;
  const keeper = pinKeeper(store, DEFAULT_TIMES);
  await keeper.type('4321');
  return {
    identity: { agentId: 'agent-1', x25519: x25519.privateKey } as Identity,
    store,
    keeper,
    presented,
    said,
    holder: holderOf(keeper, { onUnlocked: () => undefined }),
    registrar: { held: () => [] } as unknown as Registrar,
    output: { print: (line) => said.push(line), printError: (line) => said.push(line) },
  };
}

const signTask: AgentTask = {
  kind: 'sign-hash',
  id: 'task-1',
  remainingMs: 1_000,
  sha256: '00'.repeat(32),
  digest: 'sha256',
  hash: Buffer.alloc(32).toString('base64'),
};

describe('a hash to sign', () => {
  test('is not signed when the token rejects the PIN in use, which is not tried again', async () => {
    let tries = 0;
    const agent = await parts(async () => {
      tries += 1;
      throw new PinRejected('The token does not accept its PIN in use any more.');
    });
    for (const _ of [1, 2]) expect(await doTask(agent, signTask, never)).toEqual({ outcome: 'not-cached' });
    expect(tries).toBe(1);
    expect(agent.keeper.inUse()).toBeUndefined();
  });

  test('is refused with the reason when the key cannot be used, and the PIN stays in use', async () => {
    const agent = await parts(async () => {
      throw new KeyUnusable('The token is not there.');
    });
    expect(await doTask(agent, signTask, never)).toEqual({
      outcome: 'refused',
      reason: 'The token is not there.',
    });
    expect(agent.keeper.inUse()).toBe('4321');
  });

  test('is refused without the details of what went wrong inside', async () => {
    const agent = await parts(async () => {
      throw new Error('secret detail');
    });
    expect(JSON.stringify(await doTask(agent, signTask, never))).not.toContain('secret detail');
  });
});

describe('an offered PIN', () => {
  test('that was sealed for another agent or task is no PIN: the task ends, and nothing is presented', async () => {
    const agent = await parts(async () => Buffer.alloc(0));
    const box = sealPin('4321', x25519.publicKey, { agentId: 'agent-1', taskId: 'task-2' });
    const task = { id: 'task-1', remainingMs: 1_000, box };
    expect(await doTask(agent, { ...task, kind: 'compare-pin' }, never)).toEqual({ outcome: 'not-cached' });
    const prompt = { ...task, kind: 'prompt-pin', sha256: '00'.repeat(32), application: 'acme' } as const;
    expect(await doTask(agent, prompt, never)).toEqual({ outcome: 'impossible' });
    expect(agent.presented).toEqual(['4321']);
  });

  test('is compared and never presented, whether it is right or wrong', async () => {
    const agent = await parts(async () => Buffer.alloc(0));
    const context = { agentId: 'agent-1', taskId: 'task-1' };
    const offer = (pin: string) =>
      doTask(
        agent,
        {
          kind: 'compare-pin',
          id: 'task-1',
          remainingMs: 1_000,
          box: sealPin(pin, x25519.publicKey, context),
        },
        never,
      );
    expect(await offer('4321')).toEqual({ outcome: 'matched' });
    expect(await offer('1234')).toEqual({ outcome: 'different' });
    expect(agent.presented).toEqual(['4321']); // what the holder typed
    agent.keeper.forget();
    expect(await offer('4321')).toEqual({ outcome: 'not-cached' });
    expect(agent.presented).toEqual(['4321']);
  });
});
