import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readEngine } from '../../../infra/local/engine/engine-file.ts';
import { useStores } from '../../../infra/local/stores/endpoints.ts';
import { isSignatureOfHash } from '../../../shared/signing/key-verify.ts';
import { agentProcess, cleanUp, temporaryFolder } from '../../agent/agent-process.ts';
import { type SharedEngine, sharedEngine } from '../../servers/shared-engine.ts';

const CPF = '11144477735';
const SCRIPT = 'cli/agent/agent.ts';

let engine: SharedEngine;
beforeAll(async () => {
  engine = await sharedEngine();
  // Before anything here reaches for a store: these are the engine's, and not the test run's.
  useStores(readEngine(engine.dataDir)?.env ?? {});
}, 120_000);
afterAll(cleanUp);

const bare = () => ({
  Local__DataDir: engine.dataDir,
  VITEST: undefined,
  STAGE: undefined,
  Log__Level: undefined,
});

/** Those that the command enrolled: other files have theirs on the same engine. */
async function agentsListed() {
  const { listAgents } = await import('../../../functions/session/domain/workstations/administration.ts');
  return (await listAgents(Date.now())).filter(({ name }) => name === 'sandbox workstation');
}

describe('npm run agent, without a command', () => {
  test('says how to start an engine where none runs', async () => {
    const folder = temporaryFolder();
    const agent = agentProcess(['--data', folder], bare(), SCRIPT);
    expect(await agent.exited).toBe(1);
    expect(agent.printed().trim()).toBe(
      `No engine is running on ${folder}: start one with npm start -- --data ${folder}. For another server: npm run agent -- --help`,
    );
  });

  test('finds the engine, enrols itself, and offers the sandbox’s certificate with its PIN in use', async () => {
    const agent = agentProcess([], bare(), SCRIPT);
    await agent.said(/Enrolled sandbox workstation/);
    await agent.said(/Offering the certificate of SANDBOX HOLDER 11144477735/);
    await agent.said(new RegExp(`Connected to ${engine.url}/session\\.`));

    const { workstationCertificates } = await import(
      '../../../functions/session/domain/workstations/certificates.ts'
    );
    const { comparePin, promptPin } = await import(
      '../../../functions/session/domain/workstations/offered-pin.ts'
    );
    const { signHash } = await import('../../../functions/session/domain/workstations/remote-key.ts');
    const [held] = await workstationCertificates(CPF, Date.now());
    expect(held).toMatchObject({ online: true });
    expect(await comparePin({ cpf: CPF, pin: '1234' }, Date.now)).toEqual({ kind: 'different' });
    const bound = await comparePin({ cpf: CPF, pin: '4321' }, Date.now);
    if (bound.kind !== 'matched' || !held) throw new Error(`It is ${bound.kind}.`);

    const hash = createHash('sha256').update('a document').digest();
    const signed = await signHash({
      ...bound,
      digest: 'sha256',
      hash,
      deadline: { atMs: Date.now() + 20_000, now: Date.now },
    });
    const signature = signed.kind === 'signed' ? signed.signature : Buffer.alloc(0);
    expect(await isSignatureOfHash(held.certificate.publicKey, 'sha256', hash, signature)).toBe(true);

    // A session that is deactivated drops the PIN. The next one asks for it, and nobody sits there to type it.
    const { forgetPin } = await import('../../../functions/session/domain/deactivate-session.ts');
    await forgetPin(bound, Date.now());
    const deadline = { atMs: Date.now() + 25_000, now: Date.now };
    const prompted = await promptPin({ cpf: CPF, pin: '4321', application: 'acme', deadline });
    expect(prompted).toEqual(bound);

    agent.process.kill('SIGINT');
    expect(await agent.exited).toBe(0);
    expect(await agentsListed()).toMatchObject([{ online: false }]);
  });

  test('is the same agent at its next start, by --data as npm start has it', async () => {
    expect(existsSync(join(engine.dataDir, 'agent', 'identity.json'))).toBe(true);
    const agent = agentProcess(['--data', engine.dataDir], { ...bare(), Local__DataDir: undefined }, SCRIPT);
    await agent.said(/Offering/);
    await expect.poll(agent.printed).toContain('Connected');
    expect(agent.printed()).not.toContain('Enrolled');
    expect(await agentsListed()).toMatchObject([{ cpf: CPF, online: true }]);
  });
});
