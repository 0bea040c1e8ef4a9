import { PDFDocument } from 'pdf-lib';
import { CreateGeneration } from '../../../../functions/documents/contract/generation.ts';
import { documentItems } from '../../../../functions/documents/domain/document/document.ts';
import { documentList } from '../../../../functions/documents/domain/document/document-lists.ts';
import { createGeneration } from '../../../../functions/documents/domain/templates/generation/create-generation.ts';
import {
  type Generation,
  generations,
} from '../../../../functions/documents/domain/templates/generation/generation.ts';
import { listGenerationErrors } from '../../../../functions/documents/domain/templates/generation/read-generation.ts';
import { runGeneration } from '../../../../functions/documents/domain/templates/generation/run-generation.ts';
import { receiveUpload } from '../../../../functions/documents/domain/uploads/receive-upload.ts';
import { readPeople } from '../../../../functions/documents/http/read-people.ts';
import type { Caller } from '../../../../shared/access/caller.ts';
import { logger } from '../../../../shared/log/logger.ts';

export type Stage = { readonly orgId: string; readonly caller: Caller };

/** A form with two fields for values. */
export async function formPdf(): Promise<Buffer> {
  const pdf = await PDFDocument.create();
  const page = pdf.addPage([300, 300]);
  const form = pdf.getForm();
  for (const [index, name] of ['nome', 'salario'].entries())
    form.createTextField(name).addToPage(page, { x: 20, y: 200 - 40 * index, width: 200, height: 20 });
  return Buffer.from(await pdf.save());
}

export const FLOW = [
  { type: 'Signer', user: { name: '{{nome}}', identifier: '{{cpf}}', email: '{{email}}' } },
];

export async function uploaded({ orgId }: Pick<Stage, 'orgId'>, content: Buffer | string, name: string) {
  const contentType = name.endsWith('.pdf') ? 'application/pdf' : 'text/plain';
  const bytes = Buffer.from(content as string);
  return (await receiveUpload({ organizationId: orgId, name, contentType, content: bytes }, Date.now())).id;
}

type Files = { readonly template?: Buffer | string; readonly table: Buffer | string };

/** A request as a client sends it, with its files uploaded. */
export async function requestOf(stage: Pick<Stage, 'orgId'>, { template, table }: Files, more: object = {}) {
  const isText = typeof template === 'string';
  const file = await uploaded(stage, template ?? (await formPdf()), isText ? 'modelo.txt' : 'modelo.pdf');
  return {
    templateFile: { id: file, displayName: 'Modelo' },
    dataFile: { id: await uploaded(stage, table, 'pessoas.csv') },
    flowActions: FLOW,
    ...more,
  };
}

export async function begin(stage: Stage, files: Files, more: object = {}): Promise<Generation> {
  const request = CreateGeneration.parse(await requestOf(stage, files, more));
  const options = { readPeople, now: Date.now, deadlineAtMs: Date.now() + 60_000 };
  return createGeneration(stage.caller, request, Date.now(), options);
}

export const run = ({ id }: Pick<Generation, 'id'>, now = Date.now) =>
  runGeneration(id, { readPeople, now, logger: logger('documents') });

export async function progressOf({ id }: Pick<Generation, 'id'>) {
  const { state, line, created, failed, lines } = (await generations.get(id)) ?? {};
  return { state, line, created, failed, lines };
}

export const refusedLines = async ({ caller }: Pick<Stage, 'caller'>, { id }: Pick<Generation, 'id'>) =>
  (await listGenerationErrors(caller, id, { limit: 100, offset: 0 })).items;

/** The documents of the organization, oldest first. */
export async function documentsOf({ orgId }: Pick<Stage, 'orgId'>) {
  const { ids, total } = await documentList({ organizationId: orgId }).slice({
    offset: 0,
    limit: 100,
    oldestFirst: true,
  });
  return { documents: await documentItems.getMany(ids), total };
}
