import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { deadlineIn } from '../../functions/session/domain/deadline.ts';
import {
  comparePin,
  type PinMatch,
  promptPin,
} from '../../functions/session/domain/workstations/offered-pin.ts';
import { signHash } from '../../functions/session/domain/workstations/remote-key.ts';
import { type AgentProcess, agentProcess, cleanUp, enrolled, p12Of } from './agent-process.ts';
import { type HolderPage, holderPage } from './holder-page.ts';
import { anyPerson } from './holders.ts';
import { type Host, serveSession } from './host.ts';
import { useShortTimes } from './short-times.ts';
import { hasTokens, softToken } from './soft-token.ts';

const PIN = '48213375';
const HASH = createHash('sha256').update('a document').digest();
const GRACE_MS = 1_000;
// However long an agent takes to come back on this machine, it is within this.
const LONG_GRACE_SECONDS = '14';

const person = anyPerson();
const { cpf } = person;
let host: Host;
let words: readonly string[];
let env: NodeJS.ProcessEnv = {};
let dataDir: string;
let agent: AgentProcess;
let page: HolderPage;
let bound: PinMatch;

async function start(): Promise<void> {
  agent = agentProcess(['run', ...words, '--data', dataDir], env);
  page = await holderPage(agent);
  await agent.said(/Connected/);
}

async function unlock(): Promise<void> {
  await page.confirm(PIN);
  const found = await comparePin({ cpf, pin: PIN }, Date.now);
  expect(found.kind).toBe('matched');
  bound = found as PinMatch;
}

const sign = () =>
  signHash({ ...bound, digest: 'sha256', hash: HASH, deadline: deadlineIn(20_000, Date.now) });
const results = () => host.seen.filter(({ path }) => path.endsWith('/result')).length;

const grace = (seconds: string) => vi.stubEnv('Signing__WorkstationReconnectGrace', seconds);

/** Every line is dead, from now until the function that this gives is called. */
function cut(): () => void {
  const before = host.onTheWay;
  const dead = () => {
    throw new Error('The line is dead.');
  };
  host.onTheWay = dead;
  host.onTheWayBack = dead;
  return () => {
    host.onTheWay = before;
    host.onTheWayBack = () => undefined;
  };
}

/** Does something the moment that the agent has signed and wants to say so; that request never arrives. */
const whenSigned = () =>
  new Promise<void>((resolve) => {
    host.onTheWay = ({ path }) => {
      if (!path.endsWith('/result')) return;
      host.onTheWay = () => undefined;
      resolve();
      throw new Error('The line is dead.');
    };
  });

beforeAll(async () => {
  useShortTimes();
  host = await serveSession();
  if (hasTokens) ({ words, env } = softToken([person], PIN));
  else words = ['--p12', await p12Of(person, PIN)];
  dataDir = await enrolled(host);
  await start();
  await page.shows(/needed once/);
  await page.confirm(PIN);
  await agent.said(/Offering/);
  await unlock();
});

beforeEach(() => {
  grace(String(GRACE_MS / 1000));
  host.onTheWay = () => undefined;
  host.onTheWayBack = () => undefined;
});

afterAll(async () => {
  await cleanUp();
  host.close();
});

// In order: each test leaves a connected agent with its PIN in use.
describe('a sign, while the workstation', () => {
  //   server  |--task handed out------------(asks again, not in hand: handed out again)----result--|
  //   agent        signs--result lost   x    cut    x  polls  signs--------------------------|
  test('loses its line and is back inside the grace, is signed', async () => {
    grace(LONG_GRACE_SECONDS);
    const signing = sign();
    await whenSigned();
    setTimeout(cut(), 400);
    expect(await signing).toMatchObject({ kind: 'signed' });
  });

  test('loses the answer to its poll, is handed out again and signed', async () => {
    grace(LONG_GRACE_SECONDS);
    let lost = 0;
    host.onTheWayBack = ({ path, body }) => {
      if (!path.endsWith('/poll') || !body.includes('sign-hash') || lost++ > 0) return;
      throw new Error('The line is dead.');
    };
    expect(await sign()).toMatchObject({ kind: 'signed' });
    expect(lost).toBe(2);
  });

  test('loses its line for longer than the grace, is refused as offline, and its late result counts for nothing', async () => {
    const startedAt = performance.now();
    const signing = sign();
    await whenSigned();
    const mend = cut();
    expect(await signing).toEqual({ kind: 'offline' });
    expect(performance.now() - startedAt).toBeGreaterThan(GRACE_MS);
    const before = results();
    mend();
    grace(LONG_GRACE_SECONDS);
    expect(await sign()).toMatchObject({ kind: 'signed' });
    expect(results()).toBeGreaterThan(before);
  });

  test('is away when it begins and comes inside the grace, is signed', async () => {
    grace(LONG_GRACE_SECONDS);
    const mend = cut();
    const signing = sign();
    setTimeout(mend, 400);
    expect(await signing).toMatchObject({ kind: 'signed' });
  });

  test('is killed in the midst of it and stays away, is refused as offline', async () => {
    const signing = sign();
    await whenSigned();
    await agent.kill();
    expect(await signing).toEqual({ kind: 'offline' });
  });

  test('is away when it begins and stays away, is refused as offline after the grace', async () => {
    const startedAt = performance.now();
    expect(await sign()).toEqual({ kind: 'offline' });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(GRACE_MS);
  });

  test('is killed and back inside the grace, lacks its PIN: that was in memory only', async () => {
    grace(LONG_GRACE_SECONDS);
    await start();
    await unlock();
    const signing = sign();
    await whenSigned();
    await agent.kill();
    await start();
    expect(await signing).toEqual({ kind: 'not-cached' });
  });

  test('is killed while its holder is asked, is refused as offline', async () => {
    const asking = promptPin({ cpf, pin: PIN, application: 'acme', deadline: deadlineIn(20_000, Date.now) });
    await page.shows(/acme asks/);
    await agent.kill();
    expect(await asking).toEqual({ kind: 'offline' });
  });
});
