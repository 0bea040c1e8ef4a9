import { join } from 'node:path';
import { enrol } from '../../agent/commands/enrol.ts';
import type { RunWish } from '../../agent/commands/run.ts';
import type { Holder } from '../../agent/holder/holder.ts';
import { isEnrolled } from '../../agent/identity.ts';
import { pkcs12Store } from '../../agent/keys/pkcs12-store.ts';
import { AgentRefusal } from '../../agent/refusal.ts';
import { HOLDERS } from '../../functions/sandbox/domain/authority/holders.ts';
import { createEnrolmentCode } from '../../functions/session/domain/workstations/enrolment.ts';
import { readEngine } from '../../infra/local/engine/engine-file.ts';
import type { Speech } from '../../shared/command-line/output.ts';
import { LOCAL_STAGE } from '../../shared/settings/names.ts';
import { reachStores } from '../admin/endpoints.ts';

// Time enough to look at the page and to answer there first.
const TYPED_AFTER_MS = 5_000;

/** Where npm start keeps its data. */
export const DEFAULT_ENGINE_DIR = '.local';

/** The sandbox's holder whose key is at a workstation. */
const HOLDER_CPF = '11144477735';

/**
 * What `npm run agent` without a word runs: the agent of the sandbox's holder, with the engine that runs here. It makes
 * its own enrolment code in that engine's stores, so that no code that everybody knows lets anybody in.
 */
export async function sandboxAgent(
  engineDir: string,
  speech: Speech,
): Promise<Pick<RunWish, 'dataDir' | 'openStore' | 'attend' | 'server'>> {
  const engine = readEngine(engineDir);
  const pin = HOLDERS.find(({ name }) => name === HOLDER_CPF)?.pin;
  if (!engine || engine.env.STAGE !== LOCAL_STAGE || pin === undefined)
    throw new AgentRefusal(
      `No engine is running on ${engineDir}: start one with ${startCommand(engineDir)}. For another server: npm run agent -- --help`,
    );
  const server = `${engine.url}/session`;
  // Beside the engine's data: what begins anew with --fresh begins anew here too.
  const dataDir = join(engineDir, 'agent');
  if (!isEnrolled(dataDir)) {
    reachStores({ stage: LOCAL_STAGE, dataDir: engineDir });
    const { code } = await createEnrolmentCode({ cpf: HOLDER_CPF });
    await enrol({ server, code, name: 'sandbox workstation', dataDir }, speech);
  }
  const p12 = join(engineDir, 'pki', 'holders', `${HOLDER_CPF}.p12`);
  return { dataDir, server, openStore: () => pkcs12Store(p12), attend: (holder) => typeFor(holder, pin) };
}

const startCommand = (engineDir: string): string =>
  engineDir === DEFAULT_ENGINE_DIR ? 'npm start' : `npm start -- --data ${engineDir}`;

/** The holder is nobody, and the PIN is in the manual: it is in use from the start, and typed for them when it is asked. */
async function typeFor(holder: Holder, pin: string): Promise<void> {
  holder.questions.onChange(() => {
    const answer = () => holder.questions.list().length > 0 && holder.type(pin);
    if (holder.questions.list().length > 0) setTimeout(answer, TYPED_AFTER_MS).unref();
  });
  await holder.type(pin);
}
