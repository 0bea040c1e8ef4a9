import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { refusalOf } from '../../../../../shared/console/refusals.ts';
import type { Answer } from '../../../../../shared/http/response/answer.ts';
import { AlreadyExists } from '../../../../../shared/store/refusals.ts';
import { createBatch } from '../../../degrees/batches/domain/create-batch.ts';
import { csvToLines } from '../../../degrees/batches/domain/csv-to-lines.ts';
import { leadTo } from '../../pages/member-page.ts';
import { reasonOf, refusalText } from '../../pages/refusals.ts';
import type { Form, Section, Visit } from '../../visit.ts';
import { batchPage } from './batch-page.ts';
import { linesPage } from './lines-page.ts';
import { linesWords } from './words.ts';

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Creates the batch of a file, once however often the form is sent: the form chooses its id. */
async function submitFile(visit: Visit, form: Form): Promise<Answer> {
  const { caller, organization, language, nowMs } = visit;
  const bytes = form.file('file');
  if (!bytes) return linesPage(visit, linesWords(language).noFile);
  const once = form.text('once');
  const id = UUID.test(once) ? once : randomUUID();
  const refused = await refusalOf(async () => {
    // A byte order mark, which Windows begins a file with, is white space here.
    const isJson = bytes.toString().trimStart().startsWith('{');
    const lines = isJson ? bytes : csvToLines(bytes, { instituteId: form.text('instituteId') || undefined });
    const content = Readable.from([Buffer.from(lines)]);
    try {
      await createBatch(caller, { organizationId: organization.id, content, id }, nowMs);
    } catch (error) {
      // A double click. The page of the batch is shown to those alone who may see it.
      if (!(error instanceof AlreadyExists)) throw error;
    }
  });
  if (refused) {
    const why = refused.details?.reason ? ` ${reasonOf(refused, language).text}` : '';
    return linesPage(visit, `${refusalText(refused, language)}${why}`);
  }
  return leadTo(`lines/${id}`, 'sent');
}

/** Degrees by files of lines: sending one, and following it. */
export const lines: Section = {
  pages: {
    lines: { operation: 'items.read', show: (visit) => linesPage(visit) },
    'lines/{id}': { operation: 'items.read', show: (visit, { id = '' }) => batchPage(visit, id) },
  },
  forms: {
    'lines/send': { operation: 'items.create', submit: (visit, _params, form) => submitFile(visit, form) },
  },
};
