import { beforeAll, describe, expect, test } from 'vitest';
import { handler as getContent } from '../../../../functions/documents/console/endpoints/get-console-content.ts';
import { CreateTemplate } from '../../../../functions/documents/contract/templates.ts';
import { addFile } from '../../../../functions/documents/domain/drafts/change-draft.ts';
import { findDraft } from '../../../../functions/documents/domain/drafts/draft.ts';
import { requestOf } from '../../../../functions/documents/domain/drafts/draft-request.ts';
import { sessions } from '../../../../functions/documents/domain/members/sessions.ts';
import {
  replaceTemplate,
  storeTemplate,
} from '../../../../functions/documents/domain/templates/store-template.ts';
import { findTemplate } from '../../../../functions/documents/domain/templates/template.ts';
import { readPeople } from '../../../../functions/documents/http/read-people.ts';
import { call } from '../../../requests/http-event.ts';
import { documentsOf, formPdf, run, uploaded } from '../generation/stage.ts';
import { memberStage } from './member-stage.ts';

type Stage = Awaited<ReturnType<typeof memberStage>>;

let stage: Stage;
beforeAll(async () => {
  stage = await memberStage();
});

const MARK = { type: 'SignatureVisualRepresentation', uploadId: null, pageNumber: 2 };
const PLACE = { topLeftX: 10, topLeftY: 20, width: 180, height: 60 };
/** As an application stores one: with options that no page shows. */
const STORED = {
  name: 'Locação',
  flowActions: [
    {
      type: 'Approver',
      step: 3,
      user: { name: 'Bia Lima', emailAddress: 'bia@x.example', phone: '11 5555' },
    },
    {
      ...{ type: 'SignRule', step: 7, ruleName: 'Partes', numberRequiredSignatures: 1 },
      ...{ requiredCertificateTypeToSign: 'A3', title: 'Assine, {{inquilino}}' },
      requiredCompanyIdentifier: '11222333000181',
      signRuleUsers: [
        { name: '{{inquilino}}', identifier: '{{CPF}}', emailAddress: '' },
        { name: 'Caio', identifier: '', emailAddress: 'caio@x.example' },
      ],
      prePositionedMarks: [{ ...MARK, ...PLACE }],
    },
  ],
  observers: [{ name: '{{fiador}}', emailAddress: 'fia@x.example' }],
  documentName: 'Locação de {{inquilino}}',
  description: 'Olá, {{inquilino}}',
  language: 'pt-BR',
  notifiedEmails: ['arquivo@x.example'],
  tags: ['locação'],
  expiresAfterDays: 30,
};

const { name: _, ...CONTENT } = STORED;

const stored = () => storeTemplate(stage.caller, CreateTemplate.parse(STORED), Date.now(), readPeople);

const versionIn = (text: string): string => /name="version"[^>]*value="([^"]+)"/.exec(text)?.[1] ?? '';
const pathIn = ({ headers }: { readonly headers: Record<string, string | undefined> }): string =>
  (headers.location ?? '').replace(/^.*\/console\//, '').replace(/\?.*/, '');

/** The fields of the page, as a browser sends them back. */
function fieldsIn(text: string): [string, string][] {
  const form = /<form[^>]*id="draft"[\s\S]*?<\/form>/.exec(
    text.replaceAll(/<template[\s\S]*?<\/template>/g, ''),
  );
  const plain = (value: string): string =>
    value.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const parts =
    /<input[^>]*name="(\w+)"[^>]*value="([^"]*)"|<select[^>]*name="(\w+)"[\s\S]*?value="([\w-]*)" selected|<textarea[^>]*name="(\w+)"[^>]*>\n?([\s\S]*?)<\/textarea>/g;
  return [...(form?.[0] ?? '').matchAll(parts)].map(([, a, b, c, d, e, f]) => [
    a ?? c ?? e ?? '',
    plain(b ?? d ?? f ?? ''),
  ]);
}

const authorOf = async (session: string) => {
  const author = await sessions.signedInBy(session, Date.now());
  if (!author) throw new Error('Nobody is logged in.');
  return author;
};

describe('a template', () => {
  test('is made of roles, and its draft is asked for what is missing', async () => {
    const { show, send } = stage.people.Member;
    const path = pathIn(await send('templates/new'));
    const version = versionIn((await show(path)).text);
    const row = { personKey: 'a', personPart: 'Inquilino {1}', personName: '', personEmail: '' };
    const fields = { ...row, personIdentifier: '', personRole: 'sign', personStep: '1', templateDays: 'x' };
    const refused = await send(`${path}/save`, { ...fields, version, do: 'store', templateName: '' });
    expect(refused.status).toBe(422);
    for (const text of ['Give the template a name.', 'from 1 to 3650']) expect(refused.text).toContain(text);
    const turned = {
      templateName: 'Lease \u202ex',
      templateDocumentName: 'Lease \u202ex',
      templateDays: '3',
    };
    const unseen = { ...fields, ...turned, version: versionIn(refused.text), do: 'store' };
    const named = await send(`${path}/save`, unseen);
    expect(named.status).toBe(422);
    for (const what of ['template', 'documents'])
      expect(named.text).toContain(`The name of the ${what} is one`);
    const again = versionIn(named.text);
    const more = {
      version: again,
      do: 'store',
      templateName: '<b>Lease</b>',
      templateDays: '3',
      templateDocumentName: '',
    };
    const id = pathIn(await send(`${path}/save`, { ...fields, ...more })).replace('templates/', '');
    const { content } = await findTemplate(stage.caller, id);
    const user = {
      name: '{{Inquilino 1}}',
      identifier: '{{Inquilino 1 CPF}}',
      emailAddress: '{{Inquilino 1 e-mail}}',
    };
    expect(content).toMatchObject({ flowActions: [{ type: 'Signer', user }], expiresAfterDays: 3 });
    const page = await show(`templates/${id}`);
    expect(page.text).toContain('&lt;b&gt;Lease&lt;/b&gt;');
    expect((await show('templates')).text).toContain(id);
  });

  test('that an application stored keeps what no page shows when it is edited', async () => {
    const { show, send } = stage.people.Owner;
    const { id } = await stored();
    const path = pathIn(await send(`templates/${id}/edit`));
    expect(pathIn(await send(`templates/${id}/edit`))).toBe(path);
    const fields = fieldsIn((await show(path)).text).filter(([name]) => name !== 'do');
    const changed = fields.map(([name, value]): [string, string] => [
      name,
      name === 'templateDays' ? '60' : value,
    ]);
    expect(pathIn(await send(`${path}/save`, [...changed, ['do', 'store']]))).toBe(`templates/${id}`);
    const { content, revision } = await findTemplate(stage.caller, id);
    const [approval, rule] = STORED.flowActions;
    expect(content).toMatchObject({
      ...CONTENT,
      flowActions: [
        { ...approval, step: 1 },
        { ...rule, step: 2 },
      ],
      expiresAfterDays: 60,
    });
    expect(revision).toBe(2);
  });

  test('keeps who may sign when it is edited: a CPF, and a company beside it or instead', async () => {
    const { show, send } = stage.people.Owner;
    const signer = (identifier: string, requiredCompanyIdentifier: string) => ({
      ...{ type: 'Signer', requiredCompanyIdentifier },
      user: { name: 'Ana', identifier, emailAddress: 'ana@x.example' },
    });
    const company = '11222333000181';
    const flowActions = [signer('{{CPF}}', company), signer('', '{{CNPJ}}'), signer('', company)];
    const request = CreateTemplate.parse({ name: 'Empresas', flowActions });
    const { id } = await storeTemplate(stage.caller, request, Date.now(), readPeople);
    const path = pathIn(await send(`templates/${id}/edit`));
    const fields = fieldsIn((await show(path)).text).filter(([name]) => name !== 'do');
    const shown = fields.flatMap(([name, value]) => (name === 'personIdentifier' ? [value] : []));
    expect(shown.slice(0, 3)).toEqual(['{{CPF}}', '', company]);
    await send(`${path}/save`, [...fields, ['do', 'store']]);
    const { content, revision } = await findTemplate(stage.caller, id);
    expect([revision, content.flowActions]).toMatchObject([2, flowActions]);
  });

  test('that two people edit: the later is told, and saves over it knowingly', async () => {
    const { id } = await stored();
    const [eva, bia] = [stage.people.Owner, stage.people.Manager];
    const open = async ({ send, show }: typeof eva) => {
      const path = pathIn(await send(`templates/${id}/edit`));
      return { path, fields: fieldsIn((await show(path)).text).filter(([name]) => name !== 'do') };
    };
    const named = (fields: [string, string][], name: string, press: string): [string, string][] => [
      ...fields.map(([key, value]): [string, string] => [key, key === 'templateName' ? name : value]),
      ['do', press],
    ];
    const [ofEva, ofBia] = [await open(eva), await open(bia)];
    await eva.send(`${ofEva.path}/save`, named(ofEva.fields, 'of Eva', 'store'));
    const told = await bia.send(`${ofBia.path}/save`, named(ofBia.fields, 'of Bia', 'store'));
    expect(told.status).toBe(422);
    expect(told.text).toMatch(/it is version 2 now[\s\S]*value="of Bia"/);
    expect((await findTemplate(stage.caller, id)).name).toBe('of Eva');
    const over = fieldsIn(told.text).filter(([name]) => name !== 'do');
    // Whoever saves over version 2 does not save over a third that nobody has shown them.
    const { content, name } = await findTemplate(stage.caller, id);
    await replaceTemplate(stage.caller, id, { ...content, name, version: 2 }, Date.now(), readPeople);
    const again = await bia.send(`${ofBia.path}/save`, named(over, 'of Bia', 'replace:2'));
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('it is version 3 now')]);
    const last = fieldsIn(again.text).filter(([key]) => key !== 'do');
    expect((await bia.send(`${ofBia.path}/save`, named(last, 'of Bia', 'replace:3'))).status).toBe(303);
    expect(await findTemplate(stage.caller, id)).toMatchObject({ name: 'of Bia', revision: 4 });
    // Pressed twice, it is the same change.
    const twice = await bia.send(`${ofBia.path}/save`, named(last, 'of Bia', 'replace:3'));
    expect([pathIn(twice), (await findTemplate(stage.caller, id)).revision]).toEqual([`templates/${id}`, 4]);
  });

  test('has versions with who made them, each can be read, and an earlier one is used again', async () => {
    const { id } = await stored();
    const { content, name } = await findTemplate(stage.caller, id);
    for (const version of [1, 2]) {
      const change = { ...content, name: `${name} <${version + 1}>`, expiresAfterDays: 90, version };
      await replaceTemplate(stage.caller, id, change, Date.now(), readPeople);
    }
    const { show, send } = stage.people.Owner;
    const list = await show(`templates/versions/${id}`);
    expect(list.text).toMatch(/>3<\/a> [\s\S]*Locação &lt;3&gt;[\s\S]*Locação &lt;2&gt;[\s\S]*>1<\/a>/);
    expect(list.text.split(stage.caller.application).length - 1).toBe(3);
    const first = await show(`templates/versions/${id}/1`);
    expect(first.text).toMatch(/<h1><bdi>Locação<\/bdi>[\s\S]*30 days[\s\S]*\{\{inquilino\}\}/);
    expect((await stage.people.Reader.show(`templates/versions/${id}/1`)).text).not.toContain('/use"');
    for (const unknown of ['4', '0', 'x', ''])
      expect((await show(`templates/versions/${id}/${unknown}`)).status).toBe(404);
    const path = pathIn(await send(`templates/versions/${id}/1/use`));
    const fields = fieldsIn((await show(path)).text).filter(([key]) => key !== 'do');
    await send(`${path}/save`, [...fields, ['do', 'store']]);
    expect(await findTemplate(stage.caller, id)).toMatchObject({
      ...{ name, revision: 4, content: { expiresAfterDays: 30 } },
      versions: [
        { revision: 1 },
        { revision: 2 },
        { revision: 3 },
        { revision: 4, by: { name: 'The Owner' } },
      ],
    });
  });

  test('leads into a draft with people in its roles, and all else that it has', async () => {
    const { send, show, session } = stage.people.Member;
    const { id } = await stored();
    const nobody = await send(`templates/${id}/use`, { 'value:inquilino': '', 'value:CPF': '' });
    expect([nobody.status, nobody.text]).toEqual([400, expect.stringContaining('A role has nobody yet')]);
    const values = {
      'value:inquilino': 'Ana "Zoë" Prado',
      'value:CPF': '52998224725',
      'value:fiador': 'Fia',
    };
    const path = pathIn(await send(`templates/${id}/use`, values));
    expect((await show(path)).text).toContain('Ana &quot;Zoë&quot; Prado');
    const author = await authorOf(session);
    const draftId = path.replace('send/', '');
    await addFile(author, draftId, await uploaded(stage, await formPdf(), 'a.pdf'), Date.now());
    const request = requestOf(await findDraft(author, draftId, Date.now()));
    expect(request).toMatchObject({
      files: [{ displayName: 'Locação de Ana "Zoë" Prado' }],
      flowActions: [
        { user: { name: 'Bia Lima', phone: '11 5555' } },
        {
          requiredCertificateTypeToSign: 'A3',
          requiredCompanyIdentifier: '11222333000181',
          title: 'Assine, Ana "Zoë" Prado',
          signRuleUsers: [{ name: 'Ana "Zoë" Prado', identifier: '52998224725' }, { name: 'Caio' }],
          prePositionedMarks: [{ ...MARK, ...PLACE }],
        },
      ],
      observers: [{ name: 'Fia' }],
      description: 'Olá, Ana "Zoë" Prado',
      ...{ notifiedEmails: STORED.notifiedEmails, tags: STORED.tags, language: 'pt-BR' },
      expirationDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
  });
});

describe('a table of people', () => {
  const CSV = 'inquilino;CPF;fiador;nome;obs\nAna;52998224725;Fia;Ana;x\nBia;123;Fia;Bia;=1+1\n';

  async function begun(table: string) {
    const { send, session } = stage.people.Member;
    const { id } = await stored();
    const path = pathIn(await send(`templates/${id}/table`));
    const author = await authorOf(session);
    const draftId = path.replace('templates/drafts/', '');
    for (const file of [
      await uploaded(stage, await formPdf(), 'locacao.pdf'),
      await uploaded(stage, table, 'pessoas.csv'),
    ])
      await addFile(author, draftId, file, Date.now());
    return path;
  }

  test('is shown with its columns, and a missing one or a broken file is named', async () => {
    const { show, send, session } = stage.people.Member;
    const { text } = await show(await begun(CSV));
    for (const part of ['Lines: 2.', 'Nothing uses these columns: obs', 'Send 2 documents', '52998224725'])
      expect(text).toContain(part);
    const missing = await begun('inquilino;nome\nAna;Ana\n');
    const shown = await show(missing);
    expect(shown.text).toContain('no column for: CPF, fiador');
    expect(shown.text).not.toContain('/start"');
    const draftId = missing.replace('templates/drafts/', '');
    const { version } = await findDraft(await authorOf(session), draftId, Date.now());
    const forged = await send(`${missing}/start`, { version });
    expect([forged.status, forged.text]).toEqual([422, expect.stringContaining('no column &quot;CPF&quot;')]);
    const nowhere = await send(`${missing}/start`, { version, folderId: 'x' });
    expect([nowhere.status, nowhere.text]).toEqual([400, expect.stringContaining('role="alert"')]);
    expect((await show(await begun('a;"b\n'))).text).toContain('is never closed');
  });

  test('becomes documents once, is stopped and goes on, and its refused lines are downloaded', async () => {
    const { show, send, session } = stage.people.Member;
    const path = await begun(CSV);
    const start = { version: versionIn((await show(path)).text), folderId: '' };
    const place = pathIn(await send(`${path}/start`, start));
    expect(pathIn(await send(`${path}/start`, start))).toBe(place);
    const id = place.replace('templates/generations/', '');
    expect((await show('templates')).text).toContain(id);
    expect((await send(`${place}/stop`)).status).toBe(303);
    await run({ id });
    expect((await show(place)).text).toMatch(/Stopped[\s\S]*0 of 2 lines/);
    expect((await send(`${place}/stop`)).status).toBe(422);
    expect((await send(`${place}/resume`)).status).toBe(303);
    const before = (await documentsOf(stage)).total;
    await run({ id });
    const page = await show(place);
    expect(page.text).toMatch(/Done, with refused lines[\s\S]*2 of 2 lines[\s\S]*is not a CPF/);
    expect(page.text).not.toContain('data-live="2"');
    const made = await documentsOf(stage);
    expect(made.total - before).toBe(1);
    expect(made.documents.at(-1)).toMatchObject({ name: 'Locação de Ana', language: 'pt-BR' });
    const refusedIn = (language: string) =>
      call(getContent, {
        params: { path: `generations/${id}/errors` },
        headers: { Cookie: `sinete-member=${session}`, 'Accept-Language': language },
      });
    const download = await refusedIn('en');
    expect(download.headers['content-disposition']).toContain('refused-lines.csv');
    expect(download.text).toMatch(
      /^\ufeff?line;columns;reason;code\r\n3;CPF;is not a CPF;InvalidRequest\r\n$/,
    );
    // The line recorded which rule it broke, and not what that is called in English.
    expect((await refusedIn('pt-BR')).text).toContain('3;CPF;não é um CPF;InvalidRequest');
    const inPortuguese = await show(place, {}, { 'Accept-Language': 'pt-BR' });
    expect(inPortuguese.text).toContain('<span lang="pt-BR"><bdi>não é um CPF</bdi></span>');
  });
});
