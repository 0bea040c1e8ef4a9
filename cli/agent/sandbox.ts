import { join } from 'node:path';
import { enrol } from '../../agent/commands/enrol.ts';
import type { Holder } from '../../agent/holder/holder.ts';
import { isEnrolled } from '../../agent/identity.ts';
import { pkcs12Store } from '../../agent/keys/pkcs12-store.ts';
import type { Workstation } from '../../agent/run-agent.ts';
import { HOLDERS } from '../../functions/sandbox/authority/domain/holders.ts';
import { createEnrolmentCode } from '../../functions/session/domain/workstations/enrolment.ts';
import { readEngine } from '../../infra/local/engine/engine-file.ts';
import type { Output } from '../../shared/command-line/output.ts';
import { CommandRefusal } from '../../shared/command-line/reason.ts';
import { LOCAL_STAGE } from '../../shared/settings/names.ts';
import { reachStores } from '../admin/reach-stores.ts';

// Long enough to look at the page and to answer there first.
const TYPED_AFTER_MS = 5_000;

/** The data folder of `npm start`. */
const DEFAULT_ENGINE_DIR = '.local';

/** The sandbox's holder whose key is at a workstation. */
const HOLDER_CPF = '11144477735';

/**
 * The workstation of the sandbox's holder, connected to the engine that runs here. It makes its own enrolment code in
 * that engine's stores: no code that everybody knows lets anybody in.
 * @example await sandboxWorkstation('.local', CONSOLE)
 */
export async function sandboxWorkstation(folder: string | undefined, output: Output): Promise<Workstation> {
  const engineDir = folder ?? process.env.Local__DataDir ?? DEFAULT_ENGINE_DIR;
  const engine = readEngine(engineDir);
  const pin = HOLDERS.find(({ name }) => name === HOLDER_CPF)?.pin;
  if (!engine || engine.env.STAGE !== LOCAL_STAGE || pin === undefined)
    throw new CommandRefusal(
      `No engine is running on ${engineDir}: start one with ${startCommand(engineDir)}. For another server: npm run agent -- --help`,
    );
  const server = `${engine.url}/session`;
  // In the engine's folder, so that --fresh removes it too.
  const dataDir = join(engineDir, 'agent');
  if (!isEnrolled(dataDir)) {
    reachStores({ stage: LOCAL_STAGE, dataDir: engineDir });
    const { code } = await createEnrolmentCode({ cpf: HOLDER_CPF }, Date.now());
    await enrol({ server, code, name: 'sandbox workstation', dataDir }, output);
  }
  const p12 = join(engineDir, 'pki', 'holders', `${HOLDER_CPF}.p12`);
  return { dataDir, server, openStore: () => pkcs12Store(p12), attend: (holder) => typeFor(holder, pin) };
}

const startCommand = (engineDir: string): string =>
  engineDir === DEFAULT_ENGINE_DIR ? 'npm start' : `npm start -- --data ${engineDir}`;

/** Types the documented PIN for a holder who does not exist: at the start, and whenever it is asked for. */
async function typeFor(holder: Holder, pin: string): Promise<void> {
  holder.questions.onChange(() => {
    for (const { id } of holder.questions.list()) {
      const isOpen = () => holder.questions.list().some((question) => question.id === id);
      setTimeout(() => isOpen() && holder.type(pin, id), TYPED_AFTER_MS).unref();
    }
  });
  await holder.type(pin);
}
