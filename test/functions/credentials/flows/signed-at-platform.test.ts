import { buffer } from 'node:stream/consumers';
import { describe, expect, test, vi } from 'vitest';
import type { Item } from '../../../../functions/credentials/items/domain/item.ts';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import { openItemFile } from '../../../../functions/credentials/items/domain/open-file.ts';
import { problemsOf } from '../../../../functions/credentials/items/domain/problems.ts';
import { signerOf } from '../../../../functions/sandbox/authority/domain/authority.ts';
import { deadlineIn } from '../../../../shared/async/deadline.ts';
import { verifyXades } from '../../../../shared/signing/xades/verify/verify.ts';
import { forFile } from '../../../runner/for-file.ts';
import { judge } from '../../../shared/signing/xades/parties.ts';
import { hasXmlsec, xmlsec } from '../../../shared/signing/xades/xmlsec.ts';
import { ANA, BRUNO, flowStage } from './stage.ts';

// The document platform is ours, behind a real server, and its webhook calls the operation that receives its events.

const stage = await forFile(flowStage());
const webhook = await forFile(stage.listen());

const stateOf = async (id: string): Promise<string> => (await stage.degree(id)).state;
const concluded = (id: string) => ({ type: 'DocumentConcluded', data: { id, name: 'forged.xml' } });
const bothOf = async (id: string): Promise<readonly [string, string]> => {
  const [diploma = '', documentation = ''] = await stage.documentsOf(id);
  return [diploma, documentation];
};

/** Both signatures of a signed file are good, to xmlsec1 and to us. */
async function judgeFile(item: Item, name: string): Promise<void> {
  const outside = xmlsec({
    root: signerOf(stage.sandbox.authority, 'root'),
    intermediate: signerOf(stage.sandbox.authority, 'intermediate'),
  });
  const { stream } = await openItemFile(item, name, 'Signed');
  const bytes = await buffer(stream);
  const ids = [...bytes.toString().matchAll(/<ds:Signature [^>]*Id="([^"]+)"/g)].map(([, id = '']) => id);
  expect(ids).toHaveLength(2);
  if (hasXmlsec)
    expect(ids.map((signatureId) => outside.judge(bytes, { signatureId }))).toEqual(['OK', 'OK']);
  const report = await verifyXades(bytes, { judge, atMs: Date.now() });
  expect(report.signatures.map(({ intact }) => intact)).toEqual([true, true]);
  outside.remove();
}

describe('a degree whose files two people sign at our document platform', () => {
  test('is concluded by the events of the platform, when both files are signed', async () => {
    const { id, files } = await stage.handedOver();
    const [diploma, documentation] = await bothOf(id);
    expect(files.map(({ document }) => document?.url)).toEqual([
      expect.stringContaining('ticket='),
      expect.stringContaining('ticket='),
    ]);
    await stage.sign(diploma, ANA);
    await stage.sign(diploma, BRUNO);
    await stage.sign(documentation, ANA);
    await webhook.deliver();
    await stage.run();
    expect(await stage.degree(id)).toMatchObject({
      state: 'Created',
      files: [
        { signed: { sha256: expect.any(String) }, problem: null },
        { signed: null, problem: null },
      ],
    });
    await stage.sign(documentation, BRUNO);
    // DocumentConcluded follows some seconds later, and finds nothing to do.
    expect(await webhook.deliver()).toEqual([['DocumentSigned', 202, 'accepted']]);
    await stage.run();
    expect(await stateOf(id)).toBe('Concluded');
    expect(await stage.recorded(id)).toEqual(['DegreeConcluded', 'DegreeCreated']);
    expect(await stage.waitOf('look', id)).toBeUndefined();
  });

  test('shows for each file who signs, where, and how far they are', async () => {
    const { id } = await stage.handedOver();
    const [diploma] = await bothOf(id);
    const peopleOf = async () => (await stage.fileOf(id, 'diploma'))?.document?.people;
    const link = expect.stringContaining('ticket=');
    expect(await peopleOf()).toMatchObject([
      { name: 'Ana Souza', cpf: ANA, step: 1, status: 'Pending', url: link },
      { name: 'Bruno Lima', cpf: BRUNO, step: 2, status: 'Created', url: null },
    ]);
    await stage.sign(diploma, ANA);
    await stage.look(id);
    expect(await peopleOf()).toMatchObject([
      { status: 'Completed', url: null },
      { status: 'Pending', url: link },
    ]);
    await stage.sign(diploma, BRUNO);
    await stage.look(id);
    expect(await peopleOf()).toMatchObject([
      { status: 'Completed', url: null },
      { status: 'Completed', url: null },
    ]);
  });

  test('is among those with problems until its document is no problem any more', async () => {
    const { id } = await stage.handedOver();
    const [diploma] = await bothOf(id);
    const withProblem = async () => {
      const request = { page: 1, pageSize: 9, problem: true };
      const found = await listItems('degree', stage.own.organizationId, request);
      return found.items.filter((item) => item.id === id).map((item) => problemsOf(item));
    };
    expect(await withProblem()).toEqual([]);
    await stage.client.cancelDocument(diploma, 'Wrong file', deadlineIn(60_000, Date.now));
    await stage.look(id);
    expect(await withProblem()).toEqual([
      [
        {
          file: 'diploma',
          message: 'The document is Canceled at the signature platform: Wrong file',
          said: {
            code: 'file.ended-because',
            values: { status: { code: 'Canceled' }, reason: 'Wrong file' },
          },
        },
      ],
    ]);
    await stage.cancel(id);
    expect(await withProblem()).toEqual([]);
  });

  test('has signed files that xmlsec1 and our verifier call good', async () => {
    const { id } = await stage.handedOver();
    await stage.signAll(id);
    await stage.look(id);
    const degree = await stage.degree(id);
    for (const { name } of degree.files) await judgeFile(degree, name);
  });

  test('is moved once by events that come twice, out of order, and all at one moment', async () => {
    const { id } = await stage.handedOver();
    const [diploma, documentation] = await bothOf(id);
    await stage.signAll(id);
    const events = [documentation, diploma, documentation, diploma, diploma].map(concluded);
    for (const body of events.toReversed())
      expect((await stage.event(body)).json()).toEqual({ outcome: 'accepted' });
    await Promise.all([
      stage.look(id, 'event'),
      stage.look(id, 'event'),
      stage.look(id),
      stage.run(),
      webhook.deliver(),
    ]);
    const { state, version } = await stage.degree(id);
    expect(state).toBe('Concluded');
    expect(await stage.recorded(id)).toEqual(['DegreeConcluded', 'DegreeCreated']);
    for (const body of events) await stage.event(body);
    await stage.run();
    expect(await stage.degree(id)).toMatchObject({ state, version });
  });

  test('is concluded by the sweep where every event was lost', async () => {
    const { id } = await stage.handedOver();
    await stage.signAll(id);
    await stage.sweep(50_000);
    expect(await stage.run()).not.toContain('look');
    await stage.sweep(61_000);
    expect(await stage.run()).toContain('look');
    expect(await stateOf(id)).toBe('Concluded');
  });
});

describe('an event that is not believed', () => {
  test('is one about a document that nobody has signed yet', async () => {
    const { id } = await stage.handedOver();
    const before = await stage.degree(id);
    for (const documentId of await stage.documentsOf(id))
      expect((await stage.event(concluded(documentId))).status).toBe(202);
    await stage.run();
    expect(await stage.degree(id)).toEqual(before);
  });

  test.each([
    ['an unknown document', { type: 'DocumentConcluded', data: { id: 'unknown' } }],
    ['no document at all', { type: 'DocumentsCreated', data: { documents: [] } }],
    ['a test of the webhook', { type: 'WebhookTest', data: { message: 'Hello' } }],
  ])('is one about %s, and it leads to nothing', async (_, body) => {
    const answer = await stage.event(body);
    expect([answer.status, answer.json()]).toEqual([202, { outcome: 'ignored' }]);
    expect(await stage.run()).toEqual([]);
  });

  test('is one without a key of the service, and one in another shape is refused', async () => {
    const { id } = await stage.handedOver();
    const [documentId] = await bothOf(id);
    expect((await stage.event(concluded(documentId), 'app|wrong')).status).toBe(401);
    for (const body of [{}, { type: 'DocumentSigned' }, { type: 'A', data: { id: '../../x' } }, [], 'text'])
      expect((await stage.event(body)).status).toBe(422);
    expect(await stage.run()).toEqual([]);
  });
});

// Last: the days that pass bring the looks of all other degrees.
test('a degree has another link for whoever has not signed before the one that they have ends', async () => {
  const { id, files } = await stage.handedOver();
  const first = files[0]?.document?.url;
  const linksAfter = async (days: number) => {
    vi.setSystemTime(Date.now() + days * 86_400_000);
    await stage.look(id);
    const document = (await stage.fileOf(id, 'diploma'))?.document;
    return [document?.url, document?.people?.[0]?.url];
  };
  expect(await linksAfter(5)).toEqual([first, first]);
  const [second, ofPerson] = await linksAfter(1.5);
  expect([second, ofPerson]).toEqual([expect.stringContaining('ticket='), second]);
  expect(second).not.toBe(first);
});
