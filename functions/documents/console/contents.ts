import { Readable } from 'node:stream';
import { zipFiles } from '../../../shared/archive/zip.ts';
import type { RangeRequest } from '../../../shared/files/get.ts';
import { type Answer, CANNOT_RUN, file } from '../../../shared/http/response/answer.ts';
import { writeCsv } from '../../../shared/lines/csv.ts';
import { CONTENT_TYPES } from '../contract/downloads.ts';
import { findDocument } from '../domain/document/document.ts';
import { archiveEntries } from '../domain/downloads/archive.ts';
import { openContent } from '../domain/downloads/content.ts';
import { offeredContentOf, openAttachment, openStored } from '../domain/downloads/stored-content.ts';
import { openDraftFile } from '../domain/drafts/draft-files.ts';
import type { Operation } from '../domain/members/permissions.ts';
import { requireGeneration } from '../domain/templates/generation/generation.ts';
import { columnsIn } from '../domain/templates/generation/patterns.ts';
import { explainErrors } from '../domain/templates/generation/read-generation.ts';
import { findTemplate } from '../domain/templates/template.ts';
import { contentResponse } from '../http/content-response.ts';
import { reasonOf } from './pages/refusals.ts';
import type { Params, Visit } from './visit.ts';

type ShownContent = {
  readonly operation: Operation;
  readonly open: (visit: Visit, params: Params, partOf: RangeRequest) => Promise<Answer>;
};

/** The files of the console, by their paths below `contents/`. */
export const CONTENTS: Readonly<Record<string, ShownContent>> = {
  'drafts/{id}/{fileId}': {
    operation: 'documents.send',
    open: async (visit, { id = '', fileId = '' }, partOf) =>
      contentResponse(await openDraftFile(visit, { id, fileId, partOf }, visit.nowMs), { takesRange: true }),
  },
  // What people read: the signed file where there is one.
  'documents/{id}/file': {
    operation: 'documents.read',
    open: async ({ caller, nowMs }, { id = '' }, partOf) => {
      const offered = offeredContentOf(await findDocument(caller, id), nowMs);
      return contentResponse(await openStored(offered, partOf(offered.size)), { takesRange: true });
    },
  },
  'documents/{id}/types/{type}': {
    operation: 'documents.read',
    open: async ({ caller, deadlineAtMs }, { id = '', type: given }) => {
      const type = CONTENT_TYPES.find((each) => each === given) ?? 'Original';
      const request = { now: Date.now, deadlineAtMs, hangUp: undefined };
      return contentResponse(await openContent(() => findDocument(caller, id), type, request));
    },
  },
  'documents/{id}/attachments/{attachmentId}': {
    operation: 'documents.read',
    open: async ({ caller }, { id = '', attachmentId = '' }) =>
      contentResponse(await openAttachment(await findDocument(caller, id), attachmentId)),
  },
  'generations/{id}/errors': {
    operation: 'documents.read',
    open: async ({ caller, language }, { id = '' }) => {
      const refused = await explainErrors(await requireGeneration(caller, id));
      const records = refused.map(({ line, columns, ...error }) => {
        const { text } = reasonOf(error, language);
        return [String(line), columns, text, error.code];
      });
      return csvFile('refused-lines.csv', [['line', 'columns', 'reason', 'code'], ...records]);
    },
  },
  'templates/{id}/sheet': {
    operation: 'templates.read',
    open: async ({ caller }, { id = '' }) => {
      const { name, content } = await findTemplate(caller, id);
      return csvFile(`${name}.csv`, [columnsIn(content)]);
    },
  },
  zip: {
    operation: 'documents.read',
    open: async ({ caller, query, nowMs }) => {
      const ids = [query.id ?? []].flat();
      const entries = archiveEntries(caller, ids, nowMs);
      return file(Readable.from(zipFiles(entries)), 'application/zip', { name: 'documents.zip' });
    },
  },
};

const csvFile = (name: string, records: readonly (readonly string[])[]): Answer =>
  file(Buffer.from(writeCsv(records)), 'text/csv; charset=utf-8', { name, headers: CANNOT_RUN });
