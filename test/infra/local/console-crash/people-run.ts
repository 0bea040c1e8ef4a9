import { setTimeout as pause } from 'node:timers/promises';
import { ORGANIZATION_ID, SANDBOX_KEY } from '../../../../functions/sandbox/sandbox-data.ts';
import { SEED } from '../../../faults/fuzz.ts';
import { formPdf } from '../../../functions/documents/generation/stage.ts';
import { startKillable } from '../engine/kills/killed-work.ts';
import { startJudge } from '../engine/kills/mail-crash/judge.ts';
import { enterConsole, fileOf } from './console.ts';
import { killAtRandom, type Progress } from './kill-at-random.ts';
import { startReceiver } from './receiver.ts';
import { csvOf, tableOf } from './table.ts';

export const MARK = { type: 'SignatureVisualRepresentation', pageNumber: 1, topLeftX: 10, topLeftY: 20 };

const TEMPLATE = {
  name: 'Contrato',
  documentName: 'Contrato de {{nome}}',
  flowActions: [
    {
      type: 'Signer',
      user: { name: '{{nome}}', identifier: '{{CPF}}', email: '{{e-mail}}' },
      prePositionedMarks: [{ ...MARK, width: 180, height: 60 }],
    },
  ],
};

const headers = { 'x-api-key': SANDBOX_KEY, 'content-type': 'application/json' };

export type PeopleRun = Awaited<ReturnType<typeof runPeople>>;

/** Sends a table of people through the console's own forms, and kills the engine while their documents are made. */
export async function runPeople({ lines, bad, kills }: Record<'lines' | 'bad' | 'kills', number>) {
  const [judge, receiver] = await Promise.all([startJudge(), startReceiver()]);
  try {
    const engine = await startKillable({ ...judge.env, Mail__RemindAfterDays: '0' });
    const api = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const answer = await fetch(`${engine.url}/documents/api/${path}`, init);
      if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
      return (await answer.json().catch(() => undefined)) as Body;
    };
    const organization = `organizations/${ORGANIZATION_ID}`;
    await api('PUT', `${organization}/mail`, { enabled: true });
    const authorization = { authType: 'Bearer', token: 'a-long-random-token' };
    await api('POST', `${organization}/webhooks`, { url: receiver.url, ...authorization });
    const { id: folderId } = await api<{ id: string }>('POST', 'folders', { name: 'Contratos' });
    const { id: templateId } = await api<{ id: string }>('POST', 'document-templates', TEMPLATE);

    const table = tableOf({ lines, bad, seed: SEED });
    const visit = await enterConsole(engine.url, 'documents');
    const draft = await visit.send(`console/templates/${templateId}/table`);
    const files = new FormData();
    files.append('file', fileOf('contrato.pdf', 'application/pdf', await formPdf()));
    files.append('file', fileOf('pessoas.csv', 'text/csv', csvOf(table)));
    await visit.send(`drafts/${draft.replace(/^.*\//, '')}/files`, files);
    const preview = await visit.read(draft);
    const version = /name="version" value="([^"]+)"/.exec(preview)?.[1] ?? '';
    const generation = await visit.send(`${draft}/start`, { version, folderId });

    const progress = async (): Promise<Progress> => {
      const page = await visit.read(generation);
      const value = /<progress max="\d+" value="(\d+)"/.exec(page)?.[1];
      return { done: Number(value), isOver: !page.includes('data-live="2"') };
    };
    const report = await killAtRandom({
      ...{ engine, lines, kills, progress, killedUntil: 0.8, maxDelayMs: CHECKPOINT_MS },
    });
    const good = table.filter(({ refused }) => !refused);
    await waitUntil(() => new Set(judge.taken.map(({ to }) => to)).size >= good.length);
    await waitUntil(() => new Set(receiver.received.map(({ eventId }) => eventId)).size >= good.length);
    const id = generation.replace(/^.*\//, '');
    return {
      ...{ engine, api, visit, table, good, preview, generation, id, folderId, report },
      ...{ mails: judge.taken, events: receiver.received },
    };
  } finally {
    judge.stop();
    receiver.stop();
  }
}

// The page counts the lines of the last checkpoint, which is so long ago at most.
const CHECKPOINT_MS = 10_000;

// Reported as missing by those who look at what has come.
const PATIENCE_SECONDS = 300;

async function waitUntil(isSo: () => boolean): Promise<void> {
  for (let waited = 0; waited < PATIENCE_SECONDS && !isSo(); waited += 1) await pause(1_000);
}
