import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { forgetPin } from '../../functions/session/domain/deactivate-session.ts';
import { deadlineIn } from '../../functions/session/domain/deadline.ts';
import { workstationCertificates } from '../../functions/session/domain/workstations/certificates.ts';
import {
  comparePin,
  type PinMatch,
  promptPin,
} from '../../functions/session/domain/workstations/offered-pin.ts';
import { signHash } from '../../functions/session/domain/workstations/remote-key.ts';
import { isSignatureOfHash } from '../../shared/signing/key-verify.ts';
import { clockAhead, restoreSettings } from '../functions/session/own-settings.ts';
import { wholeTable } from '../stores/whole-table.ts';
import { type AgentProcess, agentProcess, cleanUp, enrolled, p12Of } from './agent-process.ts';
import { type HolderPage, holderPage } from './holder-page.ts';
import { anyPerson, type Person } from './holders.ts';
import { type Host, serveSession } from './host.ts';
import { useShortTimes } from './short-times.ts';
import { hasTokens, type SoftToken, softToken } from './soft-token.ts';

// Told apart from anything else that a table, a file or a line of text may hold.
const PIN = 'kept-9417264';
const OFFERED = 'offered-5530817';

let host: Host;
beforeAll(async () => {
  useShortTimes();
  host = await serveSession();
});
afterAll(async () => {
  await cleanUp();
  host.close();
});

restoreSettings();

const soon = (ms = 20_000) => deadlineIn(ms, () => Date.now());

type Kept = {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly token?: SoftToken;
};

const inFile = async (person: Person): Promise<Kept> => ({
  words: ['--p12', await p12Of(person, PIN)],
  env: {},
});
async function inToken(person: Person): Promise<Kept> {
  const token = softToken([person], PIN);
  return { words: token.words, env: token.env, token };
}

type Custody = readonly [string, (person: Person) => Promise<Kept>, { readonly isWhole: boolean }];

// What is the agent's, wherever the key is, is tried with one of them: the token, where there is one.
const FILE: Custody = ['a PKCS#12 file', inFile, { isWhole: !hasTokens }];
const TOKEN: Custody = ['a SoftHSM token', inToken, { isWhole: true }];

// In order: a workstation's day, from its first start to the next morning.
describe.each(hasTokens ? [FILE, TOKEN] : [FILE])('an agent with %s', (_, keep, { isWhole }) => {
  const person = anyPerson();
  const { cpf } = person;
  let kept: Kept;
  let dataDir: string;
  let agent: AgentProcess;
  let page: HolderPage;
  let bound: PinMatch;

  const start = async (...more: string[]) => {
    agent = agentProcess(['run', ...kept.words, '--data', dataDir, ...more], kept.env);
    if (!more.includes('--no-page')) page = await holderPage(agent);
  };
  const prompt = (pin: string, deadline = soon()) => promptPin({ cpf, pin, application: 'acme', deadline });

  beforeAll(async () => {
    kept = await keep(person);
    dataDir = await enrolled(host);
    await start();
  });

  test('asks for the PIN once, and then offers the certificate with a proof of its key', async () => {
    await page.shows(/Your PIN is needed once/);
    expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'none' });
    expect(await page.confirm(PIN)).toContain('The PIN was accepted.');
    await agent.said(new RegExp(`Offering the certificate of ${person.name}`));
    const [found, ...others] = await workstationCertificates(cpf, Date.now());
    expect(others).toEqual([]);
    expect(found).toMatchObject({ sha256: person.certificate.sha256, online: true });
  });

  test('matches an offered PIN that is the one in use, and no other', async () => {
    const matched = await comparePin({ cpf, pin: PIN }, Date.now);
    expect(matched).toEqual({
      kind: 'matched',
      sha256: person.certificate.sha256,
      agentId: expect.any(String),
    });
    bound = matched as PinMatch;
    for (const pin of [OFFERED, '', PIN.slice(1), `${PIN} `])
      expect(await comparePin({ cpf, pin }, Date.now)).toEqual({ kind: 'different' });
  });

  test('is not asked about certificates that may not be bound', async () => {
    expect(await comparePin({ cpf, pin: PIN, among: new Set(['another']) }, Date.now)).toEqual({
      kind: 'none',
    });
  });

  test.each(['sha256', 'sha384', 'sha512'] as const)('signs a %s hash', async (digest) => {
    const hash = createHash(digest).update('a document').digest();
    const signed = await signHash({ ...bound, digest, hash, deadline: soon() });
    const signature = signed.kind === 'signed' ? signed.signature : Buffer.alloc(0);
    expect(signed.kind).toBe('signed');
    expect(await isSignatureOfHash(person.certificate.publicKey, digest, hash, signature)).toBe(true);
  });

  test('signs many hashes at once', async () => {
    const hashes = Array.from({ length: 6 }, (_, n) => createHash('sha256').update(`document ${n}`).digest());
    const all = await Promise.all(
      hashes.map((hash) => signHash({ ...bound, digest: 'sha256', hash, deadline: soon() })),
    );
    for (const [n, signed] of all.entries()) {
      const signature = signed.kind === 'signed' ? signed.signature : Buffer.alloc(0);
      const hash = hashes[n] ?? Buffer.alloc(0);
      expect(await isSignatureOfHash(person.certificate.publicKey, 'sha256', hash, signature)).toBe(true);
    }
  });

  test('refuses to sign for a certificate that it does not hold', async () => {
    const wish = { ...bound, sha256: '00'.repeat(32), digest: 'sha256', hash: Buffer.alloc(32) } as const;
    expect(await signHash({ ...wish, deadline: soon() })).toMatchObject({ kind: 'refused' });
  });

  test('drops the PIN in use when its session is deactivated', async () => {
    await forgetPin(bound, Date.now());
    expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'not-cached' });
    const wish = { ...bound, digest: 'sha256', hash: Buffer.alloc(32) } as const;
    expect(await signHash({ ...wish, deadline: soon() })).toEqual({ kind: 'not-cached' });
  });

  if (isWhole) {
    test('tells the holder who asks, in English and in Portuguese', async () => {
      const asking = prompt(PIN, soon(4_000));
      const english = await page.shows(/acme asks to sign with your certificate/);
      expect(english).toContain(person.name);
      expect(english).toContain(host.url);
      expect(await page.text('pt-BR')).toContain('acme pede para assinar com o seu certificado');
      await page.decline();
      await asking;
    });

    test('tells that the holder declined, and signs nothing', async () => {
      const asking = prompt(PIN);
      await page.shows(/acme asks/);
      expect(await page.decline()).toContain('You declined. Nothing was signed.');
      expect(await asking).toEqual({ kind: 'declined' });
      expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'not-cached' });
    });

    test('tells that nobody answered in time, and takes no answer after it', async () => {
      const asking = prompt(PIN, soon(1_500));
      const shown = await page.shows(/acme asks/);
      const field = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(shown)?.[1] ?? '';
      expect(await asking).toEqual({ kind: 'timed-out' });
      await page.shows(/Nothing is asked of you now/);
      const late = await page.send({
        lang: 'en',
        form: field('form'),
        question: field('question'),
        action: 'confirm',
        pin: PIN,
      });
      expect(await late.text()).toContain('Nobody waits for this answer any more.');
      expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'not-cached' });
    });
  }

  test('presents what the holder typed to the token, and only then compares the offered PIN with it', async () => {
    const asking = prompt(OFFERED);
    await page.shows(/acme asks/);
    await page.confirm(PIN);
    expect(await asking).toEqual({ kind: 'different' });
    expect(await comparePin({ cpf, pin: PIN }, Date.now)).toMatchObject({ kind: 'matched' });
    await forgetPin(bound, Date.now());
  });

  test('matches after the prompt where the holder types the PIN that was offered', async () => {
    const asking = prompt(PIN);
    await page.shows(/acme asks/);
    await page.confirm(PIN);
    expect(await asking).toEqual(bound);
    // With a PIN in use nobody is asked again.
    expect(await prompt(PIN)).toEqual(bound);
    await forgetPin(bound, Date.now());
  });

  test('lets a wrong PIN be corrected while somebody waits', async () => {
    const asking = prompt(PIN);
    await page.shows(/acme asks/);
    expect(await page.confirm(OFFERED)).toContain('The PIN was not accepted.');
    if (kept.token) expect(kept.token.flags()).toContain('user PIN count low');
    await page.shows(/acme asks/);
    await page.confirm(PIN);
    expect(await asking).toEqual(bound);
    await forgetPin(bound, Date.now());
  });

  if (keep === inToken)
    test('never shows the token an offered PIN, however often a wrong one is offered', async () => {
      // The login that succeeded cleared the mark that a wrong PIN leaves.
      expect(kept.token?.flags()).not.toContain('low');
      await prompt(PIN, soon(800));
      for (const n of [1, 2, 3, 4]) await comparePin({ cpf, pin: `${OFFERED}-${n}` }, Date.now);
      await prompt(OFFERED, soon(800));
      expect(kept.token?.flags()).not.toContain('low');
    });

  if (isWhole) {
    test('rests after three rejections in a row: no prompt is possible, and no PIN goes to the token', async () => {
      const asking = prompt(PIN);
      await page.shows(/acme asks/);
      for (const n of [1, 2, 3]) await page.confirm(`wrong-${n}`);
      expect(await asking).toEqual({ kind: 'impossible' });
      expect(await page.text()).toContain('Three PINs in a row were not accepted.');
      await page.confirm(PIN);
      expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'not-cached' });
      expect(await prompt(PIN)).toEqual({ kind: 'impossible' });
    });

    test('stops at a signal, cleanly and at once', async () => {
      const startedAt = performance.now();
      agent.process.kill('SIGINT');
      expect(await agent.exited).toBe(0);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(agent.printed()).toMatch(/Stopped\.\s*$/);
    });

    test('is offline when it is not there', async () => {
      clockAhead(5_000); // more than Agents:OnlineFor
      expect(await workstationCertificates(cpf, Date.now())).toMatchObject([{ online: false }]);
      expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'offline' });
      expect(await prompt(PIN)).toEqual({ kind: 'offline' });
    });

    test('offers the certificate at its next start without a PIN, and says when nobody can be asked', async () => {
      await start('--no-page');
      await agent.said(/Offering the certificate/);
      await agent.said(/Connected/);
      expect(await comparePin({ cpf, pin: PIN }, Date.now)).toEqual({ kind: 'not-cached' });
      expect(await prompt(PIN)).toEqual({ kind: 'impossible' });
      await agent.kill();
    });
  }

  test('no PIN, typed or offered, was ever in the table, in a request, in a file or in what the agent said', async () => {
    const table = await wholeTable();
    const requests = host.seen.map(({ path, body, headers }) => `${path} ${body} ${JSON.stringify(headers)}`);
    const files = ['identity.json', 'certificates.json'].map((name) =>
      readFileSync(`${dataDir}/${name}`, 'utf8'),
    );
    expect(table).toContain(cpf);
    expect(requests.length).toBeGreaterThan(20);
    for (const text of [table, requests.join('\n'), ...files, agent.printed()])
      for (const pin of [PIN, OFFERED])
        for (const form of [
          pin,
          Buffer.from(pin).toString('base64').replace(/=+$/, ''),
          Buffer.from(pin).toString('hex'),
        ])
          expect(text).not.toContain(form);
  });
});
