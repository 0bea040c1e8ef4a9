import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { showable } from '../../agent/ask-and-sign.ts';
import type { Registrar } from '../../agent/certificates.ts';
import { type Holder, holderOf } from '../../agent/holder/holder.ts';
import type { Identity } from '../../agent/identity.ts';
import type { HashToSign, KeyStore } from '../../agent/keys/key-store.ts';
import { DEFAULT_TIMES, pinKeeper } from '../../agent/pin-keeper.ts';
import { doTask } from '../../agent/tasks.ts';
import type { AgentTask } from '../../shared/workstation/messages.ts';
import { anyPerson } from './holders.ts';

const person = anyPerson();
const never = new AbortController().signal;
const hashOf = (fill: number) => Buffer.alloc(32, fill);

/** An agent whose token takes 4321, and whose holder has a page. */
function anAgent() {
  const signed: string[] = [];
  const store = {
    present: async (pin: string) =>
      pin === '4321' ? { kind: 'accepted', certificates: [] } : { kind: 'rejected' },
    sign: async ({ hash }: HashToSign) => {
      signed.push(hash.toString('base64'));
      return Buffer.from(`signature of ${hash[0]}`);
    },
    lock: () => undefined,
  } as unknown as KeyStore;
  const keeper = pinKeeper(store, DEFAULT_TIMES);
  const holder = holderOf(keeper, { onUnlocked: () => undefined });
  holder.addInterface();
  const parts = {
    identity: { agentId: 'agent-1', x25519: generateKeyPairSync('x25519').privateKey } as Identity,
    ...{ store, keeper, holder },
    registrar: { held: () => [person.certificate] } as unknown as Registrar,
    output: { print: () => undefined, printError: () => undefined },
  };
  return { ...parts, signed, run: (task: AgentTask) => doTask(parts, task, never) };
}

const question = (fill: number, more: object = {}): AgentTask => ({
  kind: 'ask-and-sign',
  id: randomUUID(),
  remainingMs: 60_000,
  sha256: person.certificate.sha256,
  digest: 'sha256',
  application: 'documents',
  requester: 'ACME',
  documents: [{ name: `contract ${fill}.pdf`, hash: hashOf(fill).toString('base64') }],
  ...more,
});

const shownBy = async (holder: Holder, count = 1) => {
  await expect.poll(() => holder.questions.list().length).toBe(count);
  return holder.questions.list();
};

describe('a question for a signature', () => {
  test('shows who asks, each document and the first bytes of its hash, and signs those with the PIN typed for it', async () => {
    const agent = anAgent();
    const documents = [1, 2].map((n) => ({ name: `${n}.pdf`, hash: hashOf(n).toString('base64') }));
    const running = agent.run(question(1, { documents }));
    const [shown] = await shownBy(agent.holder);
    expect(shown?.reason).toEqual({
      kind: 'signature',
      ...{ requester: 'ACME', application: 'documents' },
      documents: [
        { name: '1.pdf', code: '0101 0101' },
        { name: '2.pdf', code: '0202 0202' },
      ],
    });
    await agent.holder.type('4321', shown?.id);
    expect(await running).toEqual({
      outcome: 'signed',
      signatures: [1, 2].map((n) => Buffer.from(`signature of ${n}`).toString('base64')),
    });
    // The PIN was for these documents: nothing else may use it.
    expect(agent.keeper.inUse()).toBeUndefined();
  });

  test('is not answered by a PIN in use, which stays in use', async () => {
    const agent = anAgent();
    await agent.holder.type('4321');
    const running = agent.run(question(3));
    const [shown] = await shownBy(agent.holder);
    expect(agent.signed).toEqual([]);
    agent.holder.decline(shown?.id ?? '');
    expect(await running).toEqual({ outcome: 'declined' });
    expect([agent.signed, agent.keeper.inUse()]).toEqual([[], '4321']);
  });

  // Clickjacking of consent: a second question hides behind the one on the page.
  test('is answered by its own PIN alone: that of another question signs the other', async () => {
    const agent = anAgent();
    const running = [agent.run(question(4)), agent.run(question(5))];
    const [first, second] = await shownBy(agent.holder, 2);
    await agent.holder.type('4321', first?.id);
    expect(await running[0]).toMatchObject({ outcome: 'signed' });
    expect(agent.signed).toEqual([hashOf(4).toString('base64')]);
    expect(agent.holder.questions.list()).toEqual([second]);
    // Nor does a PIN that was typed for no question.
    await agent.holder.type('4321');
    expect(agent.holder.questions.list()).toEqual([second]);
    agent.holder.decline(second?.id ?? '');
    expect(await running[1]).toEqual({ outcome: 'declined' });
  });

  test('does not open a session: its PIN answers no request of an application', async () => {
    const agent = anAgent();
    const asking = agent.holder.ask({
      reason: { kind: 'request', application: 'acme' },
      ...{ holder: undefined, endsAtMs: undefined },
    });
    const running = agent.run(question(6));
    const [request, signature] = await shownBy(agent.holder, 2);
    await agent.holder.type('4321', signature?.id);
    expect(await running).toMatchObject({ outcome: 'signed' });
    expect(agent.holder.questions.list()).toEqual([request]);
    agent.holder.decline(request?.id ?? '');
    expect(await asking).toBe('declined');
  });

  test('that was answered is refused when it is handed out again', async () => {
    const agent = anAgent();
    const task = question(7);
    const running = agent.run(task);
    const [shown] = await shownBy(agent.holder);
    await agent.holder.type('4321', shown?.id);
    await running;
    expect(await agent.run(task)).toMatchObject({ outcome: 'refused' });
    expect(agent.signed).toHaveLength(1);
  });

  test('stays open after a wrong PIN, and ends after the third', async () => {
    const agent = anAgent();
    const running = agent.run(question(8));
    const [shown] = await shownBy(agent.holder);
    for (const _ of [1, 2]) await agent.holder.type('0000', shown?.id);
    expect(agent.holder.questions.list()).toEqual([shown]);
    await agent.holder.type('0000', shown?.id);
    expect(await running).toEqual({ outcome: 'pin-blocked' });
    expect(await agent.run(question(9))).toEqual({ outcome: 'pin-blocked' });
    expect(agent.signed).toEqual([]);
  });

  test('for a certificate that is not here is not shown', async () => {
    const agent = anAgent();
    expect(await agent.run(question(10, { sha256: '00'.repeat(32) }))).toEqual({ outcome: 'impossible' });
    expect(agent.holder.questions.list()).toEqual([]);
  });

  test('shows names without what moves a cursor or turns the order of letters', () => {
    expect(showable('a\u001b[2J\r\nb\u202ecod.exe')).toBe('a\ufffd[2J\ufffd\ufffdb\ufffdcod.exe');
    expect(showable('Contrato nº 7 – prestação.pdf')).toBe('Contrato nº 7 – prestação.pdf');
  });
});
