import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { useStores } from '../../infra/local/endpoints.ts';
import { readEngine } from '../../infra/local/engine-file.ts';
import { isSignatureOfHash } from '../../shared/signing/key-verify.ts';
import { type SharedEngine, sharedEngine } from '../shared-engine.ts';
import { agentProcess, cleanUp } from './agent-process.ts';

const CPF = '11144477735';

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

describe('npm run agent, without a word', () => {
  test('finds the engine, enrols itself, and offers the sandbox’s certificate with its PIN in use', async () => {
    const agent = agentProcess([], bare());
    await agent.said(/Enrolled sandbox workstation/);
    await agent.said(/Offering the certificate of SANDBOX HOLDER 11144477735/);
    await agent.said(new RegExp(`Connected to ${engine.url}/session\\.`));

    const { certificatesAt } = await import('../../functions/session/domain/workstations/certificates.ts');
    const { comparePin } = await import('../../functions/session/domain/workstations/compare-pin.ts');
    const { signHash } = await import('../../functions/session/domain/workstations/sign-hash.ts');
    const [held] = await certificatesAt(CPF);
    expect(held).toMatchObject({ online: true });
    expect(await comparePin({ cpf: CPF, pin: '1234' })).toEqual({ kind: 'different' });
    const bound = await comparePin({ cpf: CPF, pin: '4321' });
    if (bound.kind !== 'matched' || !held) throw new Error(`It is ${bound.kind}.`);

    const hash = createHash('sha256').update('a document').digest();
    const signed = await signHash({ ...bound, digest: 'sha256', hash, deadlineAtMs: Date.now() + 20_000 });
    const signature = signed.kind === 'signed' ? signed.signature : Buffer.alloc(0);
    expect(await isSignatureOfHash(held.certificate.publicKey, 'sha256', hash, signature)).toBe(true);

    // A session that is deactivated drops the PIN. The next one asks for it, and nobody sits there to type it.
    const { forgetPin } = await import('../../functions/session/domain/workstations/forget-pin.ts');
    const { promptPin } = await import('../../functions/session/domain/workstations/prompt-pin.ts');
    await forgetPin(bound);
    const deadlineAtMs = Date.now() + 25_000;
    const prompted = await promptPin({ cpf: CPF, pin: '4321', application: 'acme', deadlineAtMs });
    expect(prompted).toEqual(bound);

    agent.process.kill('SIGINT');
    expect(await agent.exited).toBe(0);
    const { listAgents } = await import('../../functions/session/domain/workstations/administration.ts');
    expect(await listAgents()).toMatchObject([{ online: false }]);
  }, 60_000);

  test('is the same agent at its next start, by --data as npm start has it', async () => {
    expect(existsSync(join(engine.dataDir, 'agent', 'identity.json'))).toBe(true);
    const agent = agentProcess(['--data', engine.dataDir], { ...bare(), Local__DataDir: undefined });
    await agent.said(/Offering/);
    await vi.waitFor(() => expect(agent.printed()).toContain('Connected'), { timeout: 10_000 });
    expect(agent.printed()).not.toContain('Enrolled');
    const { listAgents } = await import('../../functions/session/domain/workstations/administration.ts');
    expect(await listAgents()).toMatchObject([{ name: 'sandbox workstation', cpf: CPF, online: true }]);
  }, 60_000);
});
