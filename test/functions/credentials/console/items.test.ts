import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { handler as getContent } from '../../../../functions/credentials/console/endpoints/get-console-content.ts';
import { KIND_PATHS } from '../../../../functions/credentials/items/domain/kinds.ts';
import { call } from '../../../requests/http-event.ts';
import { degreeOf, run } from '../degrees/batches/stage.ts';
import { signItem } from '../emissions/registry-stage.ts';
import { aDegree, signed, stored } from '../items/own-items.ts';
import { memberStage } from './member-stage.ts';

const issuer = await memberStage();
const registrar = await memberStage();
const { show, send } = issuer.people.Registrar;
const atRegistrar = registrar.people.Registrar;

const STUDIES = { studentName: 'Maria da Silva', studentCpf: '529.982.247-25', course: 'Direito' };
const instituteId = issuer.institute.id;

/** Where a form led to. */
const ledTo = ({ status, headers }: Awaited<ReturnType<typeof send>>): string => {
  expect(status).toBe(303);
  return (headers.location ?? '').replace(/^.*\/console\//, '');
};
const idIn = (path: string): string => /\/([\w-]+)\?/.exec(path)?.[1] ?? '';

/** An emission whose file is signed. */
async function signedEmission(): Promise<string> {
  const id = idIn(ledTo(await send('new/emissions', { ...STUDIES, instituteId })));
  await signItem({ kind: 'emission', id });
  return id;
}

/** Sends an emission by its form. Answers the id of the registrar's request. */
async function sendToRegistry(id: string): Promise<string> {
  const fields = { registrarInstituteId: registrar.institute.id, description: 'Turma de março' };
  ledTo(await send(`emissions/${id}/events/sentToRegistry`, fields));
  return (await stored<{ registrationId: string }>({ kind: 'emission', id })).data.registrationId;
}

describe('the forms of items', () => {
  test('an emission is created, sent, accepted, approved and registered, by two offices', async () => {
    const id = await signedEmission();
    expect((await show(`emissions/${id}`)).text).toContain(registrar.institute.name);
    const requestId = await sendToRegistry(id);
    // While the registrar has it, it is not offered to be sent again.
    expect((await show(`emissions/${id}`)).text).not.toContain('sentToRegistry');
    expect((await atRegistrar.show('registrations')).text).toContain(`registrations/${requestId}`);
    expect((await atRegistrar.show(`registrations/${requestId}`)).text).toContain('Turma de março');
    for (const event of ['accepted', 'approved', 'registered'])
      ledTo(await atRegistrar.send(`registrations/${requestId}/events/${event}`));
    const { state, data } = await stored<{ degreeId: string }>({ kind: 'emission', id });
    expect(state).toBe('Registered');
    const page = await show(`emissions/${id}`);
    expect(page.text).toContain(`degrees/${data.degreeId}`);
    expect(page.text).toMatch(/Registered[\s\S]*Accepted by the registrar[\s\S]*Sent to the registrar/);
    // The people who sign for one institution are not shown to the other.
    expect((await atRegistrar.show(`registrations/${requestId}`)).text).not.toContain('Signing page of');
  });

  test('a request is registered with the XML that the registrar chose, by the form that the page shows', async () => {
    const requestId = await sendToRegistry(await signedEmission());
    for (const event of ['accepted', 'approved'])
      ledTo(await atRegistrar.send(`registrations/${requestId}/events/${event}`));
    // Without this encoding a browser sends the name of the file alone, and the diploma would be written of the fields.
    expect((await atRegistrar.show(`registrations/${requestId}`)).text).toMatch(
      /<form [^>]*enctype="multipart\/form-data" action="[^"]*\/events\/registered"/,
    );
    const xml = `<Diploma>${requestId}</Diploma>`;
    const form = new FormData();
    form.set('file-diploma', new Blob([xml], { type: 'text/xml' }), 'diploma.xml');
    ledTo(await atRegistrar.sendFiles(`registrations/${requestId}/events/registered`, form));
    const { files } = await stored({ kind: 'registration', id: requestId });
    expect(files.find(({ name }) => name === 'diploma')?.sha256).toBe(
      createHash('sha256').update(xml).digest('hex'),
    );
  });

  test('a rejected request stands first on the list of its issuer, with the reason, until it is sent again', async () => {
    const id = await signedEmission();
    const requestId = await sendToRegistry(id);
    const reason = `Falta <uma> página ${randomUUID()}`;
    ledTo(await atRegistrar.send(`registrations/${requestId}/events/rejected`, { reason }));
    const shown = reason.replace('<', '&lt;').replace('>', '&gt;');
    const list = (await show('emissions')).text;
    expect(list.indexOf(shown)).toBeGreaterThan(0);
    expect(list.indexOf(shown)).toBeLessThan(list.indexOf('<table'));
    expect((await show('emissions', { problem: 'true', state: 'SentToRegistry' })).text).toContain(id);
    expect((await show(`emissions/${id}`)).text).toContain('send it again, there or elsewhere');
    const portuguese = await show(`emissions/${id}`, {}, { 'Accept-Language': 'pt-BR' });
    expect(portuguese.text).toContain(
      `<span lang="pt-BR"><bdi>O pedido de registro está rejeitado: ${shown}`,
    );
    await sendToRegistry(id);
    expect((await show('emissions')).text).not.toContain(shown);
  });

  test('a form that is sent twice creates one, and one with other fields another', async () => {
    const once = randomUUID();
    const fields = { code: `CIV-${once}`, course: 'Engenharia', instituteId, once };
    const [first, again, other] = [
      ledTo(await send('new/curriculums', fields)),
      ledTo(await send('new/curriculums', fields)),
      ledTo(await send('new/curriculums', { ...fields, course: 'Medicina' })),
    ];
    expect(again).toBe(first);
    expect(other).not.toBe(first);
    const both = await Promise.all(
      [1, 2].map(() => send('new/curriculums', { ...fields, once: randomUUID() })),
    );
    expect(new Set(both.map(ledTo)).size).toBe(2);
  });

  test('each refusal is shown where it happened, and says what to do', async () => {
    const degree = await signed(await aDegree(issuer));
    const annul = await send(`degrees/${degree.id}/events/canceled`, { reason: 'Wrong' });
    expect([annul.status, annul.text]).toEqual([422, expect.stringContaining('An annulment needs')]);
    const restamp = await send('restamps/request', {
      ...{ documentType: 'Degree', documentId: degree.id, identifier: 'diploma' },
    });
    expect([restamp.status, restamp.text]).toEqual([
      422,
      expect.stringContaining('No timestamp authority is configured'),
    ]);
    const resent = await send(`degrees/${degree.id}/resend`);
    expect([resent.status, resent.text]).toEqual([422, expect.stringContaining('No enabled webhook')]);
    const early = await send(`degrees/${degree.id}/events/restored`, { reason: 'Again' });
    expect([early.status, early.text]).toEqual([422, expect.stringContaining('InvalidStatus')]);
    expect((await send(`degrees/${degree.id}/events/concluded`)).status).toBe(404);
    const list = ledTo(await send('new/cancellation-lists', { instituteId }));
    const handOver = await send(`cancellation-lists/${idIn(list)}/hand-over`);
    expect([handOver.status, handOver.text]).toEqual([422, expect.stringContaining('SignersPending')]);
    const period = { type: 'Issuer', startDate: '2026-02-01', endDate: '2026-01-01', instituteId };
    const inspection = await send('new/inspection-files', period);
    expect([inspection.status, inspection.text]).toEqual([422, expect.stringContaining('period must begin')]);
  });

  test('a change with a field that does not hold shows its form again, with the sentence there and what was typed', async () => {
    const { id } = await signed(await aDegree(issuer));
    const typed = { cancellationReason: 'Erro de Fato', reason: `<b>${'x'.repeat(2_100)}</b>` };
    const { status, text } = await send(`degrees/${id}/events/canceled`, typed);
    expect(status).toBe(422);
    const [form = ''] = /<details[^>]*id="do-canceled" open>[\s\S]*?<\/details>/.exec(text) ?? [];
    expect(form).toMatch(
      /&lt;b&gt;x+&lt;\/b&gt;<\/textarea>\s*<p class="field-problem"[^>]*>This is not right/,
    );
    expect(form).toContain('<option value="Erro de Fato" selected>');
    // A page that is looked at meanwhile would put an empty form in its place.
    expect(text).not.toMatch(/id="actions" data-live-along/);
    const none = await send(`degrees/${id}/events/canceled`, { reason: 'Wrong course' });
    expect(none.text).toMatch(/canceled-cancellationReason-problem"[^>]*>Fill this in\.[\s\S]*Wrong course/);
    expect((await stored({ kind: 'degree', id })).state).toBe('Concluded');
  });

  test('a degree is suspended, restored and annulled, and its history names who did it', async () => {
    const { id } = await signed(await aDegree(issuer));
    for (const event of ['canceledTemporarily', 'restored'])
      ledTo(await send(`degrees/${id}/events/${event}`, { reason: `Because of ${event}` }));
    const cancellationReason = 'Decisão Judicial';
    ledTo(await send(`degrees/${id}/events/canceled`, { reason: 'Court', cancellationReason }));
    const { text } = await show(`degrees/${id}`);
    expect(text).toMatch(/Decisão Judicial[\s\S]*Because of restored[\s\S]*Because of canceledTemporarily/);
    expect(text).toContain('by The Registrar');
  });

  test('a search finds a CPF as people write it, and a list without anything says what to do', async () => {
    await aDegree(issuer, { studentName: 'Zulmira', studentCpf: '47363361886' });
    const found = (await show('degrees', { q: '473.633.618-86' })).text;
    expect(found).toContain('Zulmira');
    expect(found).not.toContain('Maria da Silva');
    // A list is kept up to date; a search, which reads all of it, is not made again by itself.
    expect(found).not.toContain('data-live="5"');
    for (const query of [{}, { state: 'Concluded' }, { problem: 'true' }] as Record<string, string>[])
      expect((await show('degrees', query)).text).toContain('id="items" data-live="5"');
    expect((await show('degrees', { q: 'nobody', state: 'nonsense', page: '-1' })).text).toContain(
      'Nothing matches',
    );
    const { people } = await memberStage();
    for (const path of KIND_PATHS)
      expect([path, (await people.Reader.show(path)).text]).toEqual([
        path,
        expect.stringMatching(/No .* yet\./),
      ]);
  });

  test('a file is downloaded by members of its organization alone, as a file that cannot run', async () => {
    const { id } = await aDegree(issuer);
    const download = (session: string, path: string) =>
      call(getContent, {
        path: `/credentials/contents/${path}`,
        params: { path },
        headers: { Accept: 'text/html', Cookie: `sinete-member=${session}` },
      });
    const { session } = issuer.people.Reader;
    const file = await download(session, `degrees/${id}/diploma/Original`);
    expect([file.status, file.text]).toEqual([200, expect.stringContaining('<Diploma')]);
    expect(file.headers).toMatchObject({
      'content-disposition': expect.stringMatching(/^attachment/),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    for (const path of [`degrees/${id}/diploma/Signed`, `degrees/${id}/other/Original`, 'nothing'])
      expect([path, (await download(session, path)).status]).toEqual([path, 404]);
    const others = await download(registrar.people.Administrador.session, `degrees/${id}/diploma/Original`);
    expect(others.status).toBe(404);
    expect((await download('', `degrees/${id}/diploma/Original`)).status).toBe(303);
  });
});

describe('a file of lines', () => {
  /** Sends a file by its form, and has it worked through. Answers the degree of one of its lines. */
  async function degreeOfFile(content: string, line: number) {
    const form = new FormData();
    form.set('instituteId', instituteId);
    form.set('file', new Blob([content]), 'lines');
    const id = idIn(ledTo(await issuer.people.Registrar.sendFiles('lines/send', form)));
    await run({ id });
    return degreeOf({ id }, line);
  }

  test('makes degrees that name the person who sent it, as those of a form do', async () => {
    const degree = await degreeOfFile('nome;cpf;curso\nAna;52998224725;Direito\n', 2);
    expect(degree).toMatchObject({ createdBy: 'The Registrar', data: { studentName: 'Ana' } });
  });

  test('says in the language of the reader why a line became no degree, and why a file is none', async () => {
    const { sendFiles, show: showTo } = issuer.people.Registrar;
    const formOf = (content: string) => {
      const form = new FormData();
      form.set('instituteId', instituteId);
      form.set('file', new Blob([content]), 'lines');
      return form;
    };
    const id = idIn(ledTo(await sendFiles('lines/send', formOf('nome;cpf;curso\nAna;123;Direito\n'))));
    await run({ id });
    const inPortuguese = await showTo(`lines/${id}`, {}, { 'Accept-Language': 'pt-BR' });
    expect(inPortuguese.text).toMatch(
      /CPF[^<]*<\/bdi>: <span lang="pt-BR"><bdi>precisa ser um CPF de 11 dígitos/,
    );
    const refused = await sendFiles('lines/send', formOf('nome;idade\nAna;20\n'));
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('&quot;idade&quot;')]);
  });

  test('of JSON is read as such where it begins with a byte order mark, as Windows saves it', async () => {
    const line = { studentName: 'Bia', studentCpf: '52998224725', course: 'Direito', instituteId };
    const degree = await degreeOfFile(`\ufeff${JSON.stringify(line)}\r\n`, 1);
    expect(degree).toMatchObject({ data: { studentName: 'Bia' } });
  });
});
