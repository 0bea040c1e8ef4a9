import { PDFDocument } from 'pdf-lib';
import { describe, expect, test } from 'vitest';
import {
  cancelGeneration,
  resumeGeneration,
} from '../../../../functions/documents/domain/templates/generation/cancel-generation.ts';
import {
  documentIdOfRow,
  generations,
} from '../../../../functions/documents/domain/templates/generation/generation.ts';
import { handler as cancel } from '../../../../functions/documents/endpoints/generation/cancel-generation.ts';
import { handler as create } from '../../../../functions/documents/endpoints/generation/create-generation.ts';
import { handler as get } from '../../../../functions/documents/endpoints/generation/get-generation.ts';
import { handler as listDocuments } from '../../../../functions/documents/endpoints/generation/list-generated-documents.ts';
import { handler as listErrors } from '../../../../functions/documents/endpoints/generation/list-generation-errors.ts';
import { handler as list } from '../../../../functions/documents/endpoints/generation/list-generations.ts';
import { handler as resume } from '../../../../functions/documents/endpoints/generation/resume-generation.ts';
import { handler as work } from '../../../../functions/documents/workers/run-generation.ts';
import { files } from '../../../../shared/files/files.ts';
import { sendDueMessages } from '../../../../shared/queue/outbox.ts';
import { scheduleHandler } from '../../../../shared/queue/schedule.ts';
import { signPades } from '../../../../shared/signing/pades/sign.ts';
import { killedAt } from '../../../faults/crash.ts';
import { call } from '../../../requests/http-event.ts';
import { forFile } from '../../../runner/for-file.ts';
import { plainPdf } from '../../../shared/signing/pades/documents.ts';
import { OPTIONS, person } from '../../../shared/signing/pades/parties.ts';
import { drainQueue } from '../../drain-queue.ts';
import { ownStores } from '../../own-stores.ts';
import { ownOrganization } from '../own-organization.ts';
import { canReadPdfs, pagesOf } from '../pdf-reader.ts';
import { callerFor } from '../sample-documents.ts';
import { begin, documentsOf, FLOW, progressOf, refusedLines, requestOf, run, uploaded } from './stage.ts';

await forFile(ownStores());

async function ownStage() {
  const { orgId, key } = await ownOrganization();
  return { orgId, caller: callerFor(orgId), headers: { 'X-API-Key': key } };
}

const SIGNED = await signPades(await plainPdf('table'), person, OPTIONS);

const drain = () => drainQueue('documents', 'generations', work);

const PEOPLE = 'nome,cpf,email,salario\n';
const peopleOf = (count: number): string =>
  PEOPLE +
  Array.from({ length: count }, (_, n) => `Pessoa ${n + 1},52998224725,p${n + 1}@x.example,${n}\n`).join('');

describe('a generation', () => {
  test('makes a document of each line, reports the others by their lines, and keeps no file of people', async () => {
    const stage = await ownStage();
    const { headers } = stage;
    // As a spreadsheet in Brazil writes it: semicolons, and the encoding of Windows.
    const table = Buffer.from(
      'nome;cpf;email;salario;obs\r\n' +
        'José Conceição;529.982.247-25;jose@x.example;1.500,00;a\r\n' +
        '\r\n' +
        'Ana;111;ana@x.example;2;\r\n' +
        '"Bia ""B"" Lima";47363361886;bia@x.example;"3\n4";\r\n' +
        'Caio;52998224725;caio@x.example;5;6;7\r\n' +
        ';52998224725;x@x.example;5;\r\n',
      'latin1',
    );
    const mark = { pageNumber: 1, topLeftX: 10, topLeftY: 10, width: 60, height: 20 };
    const request = await requestOf(
      stage,
      { table },
      { documentName: 'Contrato de {{nome}}', newFolderName: 'Contratos' },
    );
    const action = { ...FLOW[0], prePositionedMarks: [{ ...mark, uploadId: request.templateFile.id }] };
    const answer = await call(create, { headers, json: { ...request, flowActions: [action], type: null } });
    expect([answer.status, answer.json()]).toMatchObject([
      200,
      {
        ...{ status: 'Pending', type: null, subscriptionId: stage.orgId, folderId: expect.any(String) },
        ...{ totalDocumentsCount: 5, initializedCount: 0, completedCount: 0, failedCount: 0 },
        ...{ filledFields: ['nome', 'salario'], ignoredColumns: ['obs'] },
      },
    ]);
    const { id, folderId } = answer.json() as { id: string; folderId: string };
    const { file = '', template } = (await generations.get(id)) ?? {};
    expect(await files('documents').head(file)).toBeDefined();
    await drain();

    const params = { id };
    expect((await call(get, { headers, params })).json()).toMatchObject({
      ...{ status: 'Done', totalDocumentsCount: 5, initializedCount: 5, completedCount: 2, failedCount: 3 },
    });
    const listed = (await call(list, { headers })).json();
    expect(listed).toMatchObject({ items: [{ id, status: 'Done', completedCount: 2 }] });
    const errors = (await call(listErrors, { headers, params, query: { Limit: '2' } })).json();
    expect(errors).toMatchObject({
      items: [
        { line: 4, code: 'InvalidRequest', details: { field: 'flowActions.0.user.identifier' } },
        { line: 7, details: { reason: 'has 6 values, and there are 5 columns' } },
      ],
      totalCount: 3,
    });
    const { documents } = await documentsOf(stage);
    const made = documents.toSorted((a, b) => a.name.localeCompare(b.name));
    expect(made).toMatchObject([
      { name: 'Contrato de Bia "B" Lima', folderId, flow: [{ people: [{ identifier: '47363361886' }] }] },
      {
        name: 'Contrato de José Conceição',
        flow: [
          {
            people: [{ name: 'José Conceição', emailAddress: 'jose@x.example' }],
            marks: [{ page: 1 }],
            state: 'Pending',
          },
        ],
      },
    ]);
    const rows = (await call(listDocuments, { headers, params })).json() as {
      items: { documentId: string | null }[];
    };
    expect(rows.items.map(({ documentId }) => made.some((document) => document.id === documentId))).toEqual([
      true,
      false,
      true,
      false,
      false,
    ]);
    const bytes = await files('documents').read(made[1]?.original.key ?? '', 1_000_000);
    const form = (await PDFDocument.load(bytes ?? Buffer.alloc(0))).getForm();
    expect([form.getTextField('nome').getText(), form.getTextField('salario').getText()]).toEqual([
      'José Conceição',
      '1.500,00',
    ]);
    expect(await files('documents').head(file)).toBeUndefined();
    expect(await files('documents').head(template?.key ?? '')).toBeUndefined();

    // To another organization it does not exist, and an ended one is not stopped.
    const other = await ownStage();
    for (const handler of [get, listErrors, listDocuments, cancel, resume])
      expect((await call(handler, { headers: other.headers, params })).json()).toMatchObject({
        code: 'GenerationNotFound',
      });
    for (const handler of [cancel, resume]) {
      const code = handler === cancel ? 'InvalidGenerationStatus' : 'GenerationFilesGone';
      expect((await call(handler, { headers, params })).json()).toMatchObject({ code });
    }
  });

  test('of a text makes pages of it, with the values of the line where it names columns', async () => {
    const stage = await ownStage();
    const template = `Contrato\n\nEu, {{ nome }}, ganho {{salario}}.\n${'Uma cláusula longa. '.repeat(400)}`;
    const { id } = await begin(stage, {
      template,
      table: `${PEOPLE}Ana,52998224725,a@x.example,{{cpf}}\nŁ漢,52998224725,b@x.example,1\n`,
    });
    await run({ id });
    expect(await progressOf({ id })).toMatchObject({ state: 'Done', created: 1, failed: 1 });
    expect(await refusedLines(stage, { id })).toMatchObject([{ line: 3, code: 'FormNotFillable' }]);
    const { documents } = await documentsOf(stage);
    expect(documents).toMatchObject([{ name: 'Modelo', format: 'PAdES' }]);
    if (!canReadPdfs()) return;
    const bytes = await files('documents').read(documents[0]?.original.key ?? '', 1_000_000);
    const pages = pagesOf(bytes ?? Buffer.alloc(0));
    // A value that looks like a name is a value.
    expect(pages[0]).toContain('Eu, Ana, ganho {{cpf}}.');
    expect(pages.length).toBeGreaterThan(1);
  });

  test.each([
    ['a template that is signed', { template: SIGNED }, {}, 'TemplateNotUsable', 'signed already'],
    [
      'a template that is neither',
      { template: Buffer.from([0, 255, 1]) },
      {},
      'TemplateNotUsable',
      'neither a PDF',
    ],
    [
      'a form that no column fills',
      { table: 'name,cpf\nAna,1\n' },
      { flowActions: [{ type: 'Signer', user: { name: '{{name}}' } }] },
      'TemplateNotUsable',
      'nome, salario',
    ],
    [
      'a column that is not there',
      { table: 'nome,cpf\nAna,1\n' },
      {},
      'DataFileNotUsable',
      'no column "email"',
    ],
    [
      'a name in the text that is no column',
      { template: '{{altura}}' },
      {},
      'DataFileNotUsable',
      'no column "altura"',
    ],
    ['a table without people', { table: PEOPLE }, {}, 'DataFileNotUsable', 'no line below'],
    ['two columns of one name', { table: 'nome,nome\nx,y\n' }, {}, 'DataFileNotUsable', '"nome"'],
    [
      '201 columns',
      { table: `${Array(201).fill('nome').join(',')}\nx\n` },
      {},
      'DataFileNotUsable',
      '200 columns',
    ],
    ['a line of 1,001 values', { table: `nome\n${',x'.repeat(1_000)}\n` }, {}, 'DataFileNotUsable', 'Line 2'],
    ['a quote that is never closed', { table: `${PEOPLE}"Ana,1,2,3\n` }, {}, 'DataFileNotUsable', 'line 2'],
    ['more lines than 5,000', { table: peopleOf(5_001) }, {}, 'DataFileNotUsable', '5000 lines'],
    [
      'an action that no line can mend',
      {},
      { flowActions: [{ type: 'Signer', user: { name: '{{nome}}' }, step: -1 }] },
      'InvalidRequest',
      'flowActions.0.step',
    ],
    [
      'an option that is not kept',
      {},
      { flowActions: [{ ...FLOW[0], colour: 'red' }] },
      'OptionNotSupported',
      'colour',
    ],
    [
      'electronic signatures that no seal would end',
      {},
      { flowActions: [{ ...FLOW[0], allowElectronicSignature: true }] },
      'SealRequired',
      'no seal',
    ],
    [
      'an option that its type of action has no use for',
      {},
      { flowActions: [{ ...FLOW[0], type: 'Approver', requireCompanyCertificate: true }] },
      'OptionNotSupported',
      'Approver',
    ],
    ['a date that is over', {}, { expirationDate: '2020-01-01' }, 'InvalidExpirationDate', ''],
  ])('is refused for %s, and the uploads can be used again', async (_, given, more, code, reason) => {
    const stage = await ownStage();
    const json = await requestOf(stage, { table: peopleOf(1), ...given }, more);
    for (let times = 0; times < 2; times++) {
      const refused = (await call(create, { headers: stage.headers, json })).json() as { code: string };
      expect(refused).toMatchObject({ code });
      expect(JSON.stringify(refused)).toContain(reason.replaceAll('"', '\\"'));
    }
  });

  test('is begun once by a call that is sent twice with its Idempotency-Key', async () => {
    const { headers, ...stage } = await ownStage();
    const json = await requestOf(stage, { table: peopleOf(1) });
    const send = () => call(create, { headers: { ...headers, 'Idempotency-Key': 'one' }, json });
    const [first, second] = [await send(), await send()];
    expect([second.status, second.json()]).toEqual([200, first.json()]);
  });
});

describe('a generation that is stopped', () => {
  test('before it began makes nothing, and goes on where it is resumed', async () => {
    const stage = await ownStage();
    const { id } = await begin(stage, { table: peopleOf(3) });
    expect(await cancelGeneration(stage.caller, id, Date.now())).toMatchObject({ state: 'Canceling' });
    await run({ id });
    expect(await progressOf({ id })).toMatchObject({ state: 'Canceled', created: 0, line: 0 });
    expect(await resumeGeneration(stage.caller, id, Date.now())).toMatchObject({ state: 'Pending' });
    await run({ id });
    expect(await progressOf({ id })).toMatchObject({ state: 'Completed', created: 3, failed: 0 });
    expect((await documentsOf(stage)).total).toBe(3);
  });

  //   caller                |Canceling|
  //   worker    |--lines 1 and 2--|checkpoint: refused--|checkpoint on the newer state: Canceled|
  test('while a worker is at it counts what was made, whichever the moment', async () => {
    const stage = await ownStage();
    const { id } = await begin(stage, {
      table: `${peopleOf(2)}bad,1,x,1\n${peopleOf(9).slice(PEOPLE.length)}`,
    });
    // The clock of the worker: it runs out of the time of its chunk after some lines, and is stopped in between.
    let reads = 0;
    const startMs = Date.now();
    const clock = (): number => {
      reads += 1;
      if (reads === 6) void cancelGeneration(stage.caller, id, startMs);
      return reads > 12 ? startMs + 10_000 : startMs;
    };
    await run({ id }, clock);
    const { state, created = 0, failed = 0, line } = await progressOf({ id });
    expect([state, created + failed]).toEqual(['Canceled', line]);
    expect(created).toBeLessThan(11);
    expect((await documentsOf(stage)).total).toBe(created);
    await resumeGeneration(stage.caller, id, Date.now());
    await run({ id });
    expect(await progressOf({ id })).toEqual({ state: 'Done', created: 11, failed: 1, line: 12, lines: 12 });
    expect((await documentsOf(stage)).total).toBe(11);
    expect(await refusedLines(stage, { id })).toMatchObject([{ line: 4 }]);
  });
});

/** What a process does that starts after another was killed: the sweep of due messages, and the work that they ask for. */
async function restarted(): Promise<void> {
  await scheduleHandler('documents', 'send-due', sendDueMessages('documents'), () => Date.now() + 600_000)();
  await drain();
}

//   worker 1  |--upload--file--document-- killed
//   worker 2                               |--counts what exists--the others--|checkpoint|
describe('a worker that is killed at any of its writes', () => {
  const table = `${peopleOf(2)}bad,1,x,1\n`;

  test('after it: each line is one document or one error, counted once', async () => {
    for (let write = 1; ; write++) {
      const stage = await ownStage();
      const { id } = await begin(stage, { table, template: 'Para {{nome}}' });
      const isKilled = await killedAt(write, 'after', () => run({ id }));
      await restarted();
      const generation = await generations.get(id);
      expect([write, generation?.state, generation?.created, generation?.failed]).toEqual([
        write,
        'Done',
        2,
        1,
      ]);
      const { documents, total } = await documentsOf(stage);
      const ids = generation ? [1, 2].map((row) => documentIdOfRow(generation, row)) : [];
      expect([total, documents.map((document) => document.id).toSorted()]).toEqual([2, ids.toSorted()]);
      expect(await refusedLines(stage, { id })).toMatchObject([{ line: 4 }]);
      if (isKilled) continue;
      expect(write).toBeGreaterThan(6);
      return;
    }
  });

  test('and stopped meanwhile: what it made is counted before the generation ends', async () => {
    const stage = await ownStage();
    const { id } = await begin(stage, { table: peopleOf(6), template: 'Para {{nome}}' });
    await killedAt(9, 'after', () => run({ id }));
    await cancelGeneration(stage.caller, id, Date.now());
    await restarted();
    const { state, created } = await progressOf({ id });
    expect([state, created]).toEqual(['Canceled', (await documentsOf(stage)).total]);
    await resumeGeneration(stage.caller, id, Date.now());
    await drain();
    expect(await progressOf({ id })).toMatchObject({ state: 'Completed', created: 6 });
    expect((await documentsOf(stage)).total).toBe(6);
  });

  test('a call that is killed at any of its writes begins a generation that is worked through, or none', async () => {
    for (let write = 1; ; write++) {
      const stage = await ownStage();
      const request = { table, template: 'Para {{nome}}' };
      const [file, data] = [
        await uploaded(stage, request.template, 'm.txt'),
        await uploaded(stage, table, 'p.csv'),
      ];
      const json = { templateFile: { id: file }, dataFile: { id: data }, flowActions: FLOW };
      const isKilled = await killedAt(write, 'after', () => call(create, { headers: stage.headers, json }));
      await restarted();
      expect([0, 2]).toContain((await documentsOf(stage)).total);
      if (!isKilled) return;
    }
  });
});
