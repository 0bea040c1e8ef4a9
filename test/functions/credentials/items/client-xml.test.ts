import { afterEach, describe, expect, test, vi } from 'vitest';
import { handler as create } from '../../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as getXml } from '../../../../functions/credentials/degrees/endpoints/get-degree-xml.ts';
import type { TranscriptData } from '../../../../functions/credentials/items/domain/data.ts';
import { listItems } from '../../../../functions/credentials/items/domain/item-lists.ts';
import {
  renderSubject,
  subjectOf,
} from '../../../../functions/credentials/webhooks/domain/render-subject.ts';
import { call } from '../../../requests/http-event.ts';
import { STUDIES, stored } from './own-items.ts';
import { keyOf, ownTenant, registerSilentWebhook } from './own-tenant.ts';

const DIPLOMA = '<?xml version="1.0"?><Diploma xmlns="urn:x"><a>ç</a></Diploma>';
const DOCUMENTATION = '<DocumentacaoAcademicaRegistro/>';
const file = (name: string, xml: string | Buffer) => ({ name, content: Buffer.from(xml).toString('base64') });
const documentation = file('academic-documentation', DOCUMENTATION);
const BOTH = [file('diploma', DIPLOMA), documentation];

const tenant = await ownTenant();
await registerSilentWebhook(tenant.organizationId);
const headers = await keyOf(tenant);
afterEach(() => void vi.unstubAllEnvs());

const post = (json: object) =>
  call(create, { headers, json: { ...STUDIES, instituteId: tenant.institute.id, ...json } });
const refusal = async (files: readonly object[]) => {
  const answer = await post({ files });
  return [answer.status, answer.json()] as [
    number,
    { code: string; details: { file: string; reason: string } },
  ];
};
const totalOf = async (kind: 'degree' | 'transcript') =>
  (await listItems(kind, tenant.organizationId, { page: 1, pageSize: 1 })).totalCount;

describe("the client's own XML", () => {
  test('is stored byte for byte', async () => {
    const made = await post({ files: BOTH });
    expect(made.status).toBe(201);
    const { id } = made.json() as { id: string };
    for (const [name, xml] of [
      ['diploma', DIPLOMA],
      ['academic-documentation', DOCUMENTATION],
    ] as const)
      expect((await call(getXml, { headers, params: { id, name } })).text).toBe(xml);
  });

  const ENTITIES = Array.from({ length: 9 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
    '',
  );

  test.each<[string, readonly object[], string, RegExp]>([
    [
      'another root',
      [file('diploma', '<Diplomas/>'), documentation],
      'diploma',
      /root Diplomas; expected Diploma$/,
    ],
    [
      'the files exchanged',
      [file('diploma', DOCUMENTATION), file('academic-documentation', DIPLOMA)],
      'diploma',
      /root/,
    ],
    ['what is not well-formed', [file('diploma', '<Diploma><a></Diploma>'), documentation], 'diploma', /./],
    ['two roots', [file('diploma', '<Diploma/><Diploma/>'), documentation], 'diploma', /./],
    ['text that is no XML', [file('diploma', 'Diploma'), documentation], 'diploma', /./],
    ['nothing in it', [file('diploma', ''), documentation], 'diploma', /./],
    ['a prefix that nothing declares', [file('diploma', '<x:Diploma/>'), documentation], 'diploma', /./],
    [
      'a DOCTYPE',
      [file('diploma', '<!DOCTYPE Diploma><Diploma/>'), documentation],
      'diploma',
      /DOCTYPE|DTD/i,
    ],
    [
      'an external entity (XXE)',
      [
        file('diploma', '<!DOCTYPE Diploma [<!ENTITY x SYSTEM "file:///etc/passwd">]><Diploma>&x;</Diploma>'),
        documentation,
      ],
      'diploma',
      /DOCTYPE|DTD/i,
    ],
    [
      'entities that grow (billion laughs)',
      [
        file('diploma', `<!DOCTYPE Diploma [<!ENTITY e0 "ha">${ENTITIES}]><Diploma>&e9;</Diploma>`),
        documentation,
      ],
      'diploma',
      /DOCTYPE|DTD/i,
    ],
    [
      'a file by another name',
      [...BOTH, file('curriculum', '<CurriculoEscolar/>')],
      'curriculum',
      /is not one of/,
    ],
    [
      'the name of something that every object has',
      [...BOTH, file('constructor', '<x/>')],
      'constructor',
      /is not one of/,
    ],
    ['a file twice', [...BOTH, file('diploma', DIPLOMA)], 'diploma', /each once/],
    ['a file missing', [documentation], 'diploma', /is missing/],
    ['no file at all', [], 'diploma', /is missing/],
  ])('with %s is refused, and nothing is created', async (_, files, name, reason) => {
    const before = await totalOf('degree');
    const [status, { code, details }] = await refusal(files);
    expect([status, code, details.file]).toEqual([422, 'InvalidXml', name]);
    expect(details.reason).toMatch(reason);
    // Nothing of this machine is in what the client is told.
    expect(details.reason).not.toMatch(/root:|\/work|\/etc/);
    expect(await totalOf('degree')).toBe(before);
  });

  test('larger than Xml:MaxBytes is refused', async () => {
    vi.stubEnv('Xml__MaxBytes', '1000');
    const diplomaOf = (bytes: number) => file('diploma', `<Diploma>${'x'.repeat(bytes - 19)}</Diploma>`);
    expect(await refusal([diplomaOf(1_001), documentation])).toMatchObject([
      422,
      { code: 'InvalidXml', details: { file: 'diploma', reason: 'has 1001 bytes; 1000 are allowed' } },
    ]);
    expect((await post({ files: [diplomaOf(1_000), documentation] })).status).toBe(201);
  });

  test('of more than UploadsPerRequest files is refused', async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => file(`f${n}`, '<a/>'));
    expect(await refusal(many(51))).toMatchObject([
      422,
      { code: 'TooManyFiles', details: { limit: '50', files: '51' } },
    ]);
    expect(await refusal(many(50))).toMatchObject([422, { code: 'InvalidXml' }]);
    vi.stubEnv('UploadsPerRequest', '1');
    expect(await refusal(BOTH)).toMatchObject([
      422,
      { code: 'TooManyFiles', details: { limit: '1', files: '2' } },
    ]);
  });

  test('that is not base64 is refused as a field', async () => {
    expect(await refusal([{ name: 'diploma', content: '<Diploma/>' }])).toMatchObject([
      422,
      { code: 'InvalidFields' },
    ]);
  });
});

describe('the transcript of a degree', () => {
  type Made = { id: string; transcriptId: string | null; academicTranscriptCreationError: string | null };
  const withTranscript = async (academicTranscript: object): Promise<Made> => {
    const made = await post({ academicTranscript });
    expect(made.status).toBe(201);
    return made.json() as Made;
  };

  test('is created with it, of the same studies', async () => {
    const { transcriptId, academicTranscriptCreationError } = await withTranscript({ type: 'Partial' });
    expect(academicTranscriptCreationError).toBeNull();
    const transcript = await stored<TranscriptData>({ kind: 'transcript', id: String(transcriptId) });
    const { studentName, course } = STUDIES;
    expect(transcript).toMatchObject({ state: 'Created', data: { studentName, course, type: 'Partial' } });
  });

  test.each([
    ['not well-formed', [file('transcript', '<a>')], 'transcript'],
    [
      'of another type',
      [file('transcript', '<DocumentoHistoricoEscolarParcial/>')],
      'transcript has the root',
    ],
    ['missing', [], 'transcript is missing'],
    ['too many', Array.from({ length: 51 }, () => file('transcript', '<a/>')), 'more files than'],
  ])('whose XML is %s does not keep the degree from being created', async (_, files, told) => {
    const before = await totalOf('transcript');
    const made = await withTranscript({ type: 'Final', files });
    expect(made).toMatchObject({ status: 'Created', transcriptId: null });
    expect(made.academicTranscriptCreationError).toContain(told);
    expect(await totalOf('transcript')).toBe(before);
    // The event of the creation tells as well.
    const { academicTranscriptCreationError } = made;
    const subject = subjectOf({ kind: 'degree', id: made.id }, 'Degree');
    expect(await renderSubject(subject, tenant.organizationId)).toMatchObject({
      type: 'DegreeCreated',
      data: { academicTranscriptCreationError },
    });
  });
});
