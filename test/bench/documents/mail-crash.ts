import { cleanUp } from '../../infra/local/engine/engine-process.ts';
import { startJudge } from '../../infra/local/engine/kills/mail-crash/judge.ts';
import { runMailCrash } from '../../infra/local/engine/kills/mail-crash/run.ts';
import type { Figure } from '../measure/figures.ts';

const DOCUMENTS = 1_000;
const KILLS = 3;
// Workers of the mail queue, each with a message under way when the engine is killed.
const WORKERS = 10;

/** kill -9 of an engine that sends invitations: people who get none, or a link that opens nothing; and repetitions. */
export async function figures(): Promise<Figure[]> {
  process.env.Log__Level = 'ERROR';
  const judge = await startJudge();
  try {
    const run = await runMailCrash({ documents: DOCUMENTS, kills: KILLS, judge });
    const detail = `${run.documents.length} documents, ${run.messages} messages; ${(run.seconds / 60).toFixed(1)} min`;
    const what = `${DOCUMENTS} documents with two signers while the engine is killed ${KILLS} times`;
    return [
      {
        name: `${what}: people without an invitation, and links that do not open`,
        ratio: run.missing.length + run.dead.length,
        promised: { atMost: 0 },
        detail,
      },
      {
        name: `${what}: messages that arrived twice, of those under way`,
        ratio: run.repeated.length,
        promised: { atMost: KILLS * WORKERS },
        detail,
      },
    ];
  } finally {
    await cleanUp();
    judge.stop();
  }
}
