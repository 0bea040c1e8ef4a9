import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { handler as createList } from '../../../../functions/credentials/cancellation-lists/endpoints/create-cancellation-list.ts';
import { handler as createCurriculum } from '../../../../functions/credentials/curriculums/endpoints/create-curriculum.ts';
import { handler as createDegree } from '../../../../functions/credentials/degrees/endpoints/create-degree.ts';
import { handler as createEmission } from '../../../../functions/credentials/emissions/endpoints/create-emission.ts';
import { handler as createInspectionFile } from '../../../../functions/credentials/inspection-files/endpoints/create-inspection-file.ts';
import { handler as createRegistration } from '../../../../functions/credentials/registrations/endpoints/create-registration.ts';
import { handler as createTranscript } from '../../../../functions/credentials/transcripts/endpoints/create-transcript.ts';
import type { Endpoint } from '../../../../shared/http/endpoint.ts';
import { call } from '../../../requests/http-event.ts';
import { everyItem } from '../../../stores/whole-table.ts';
import { STUDIES } from './own-items.ts';
import { keyOf, ownTenant } from './own-tenant.ts';

const tenant = await ownTenant();
const headers = await keyOf(tenant);
const { id: instituteId } = tenant.institute;
const request = { ...STUDIES, instituteId };
const ofInstitute = { id: instituteId };

const CREATIONS: readonly [what: string, Endpoint, json: object, params?: Record<string, string>][] = [
  ['degree', createDegree, request],
  ['transcript', createTranscript, { ...request, type: 'Final' }],
  ['curriculum', createCurriculum, { code: 'EC-1', course: 'Engenharia', instituteId, version: '1.05' }],
  ['emission', createEmission, request],
  ['registration', createRegistration, { ...request, issuingIes: 'Faculdade', issuingIesCode: '4321' }],
  ['cancellationList', createList, {}, ofInstitute],
  [
    'inspectionFile',
    createInspectionFile,
    { type: 'Issuer', startDate: '2026-01-01', endDate: '2026-01-31', version: '1.05' },
    ofInstitute,
  ],
];

const countOf = async (kind: string): Promise<number> =>
  (await everyItem('credentials')).filter((item) => item.kind?.S === kind && item.organizationId).length;

test.each(CREATIONS)(
  'a %s is created once, however often its request is sent with its key',
  async (kind, handler, json, params) => {
    const before = await countOf(kind);
    const key = { 'Idempotency-Key': randomUUID() };
    const send = () => call(handler, { headers: { ...headers, ...key }, json, ...(params && { params }) });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.json()).toEqual(first.json());
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await countOf(kind)).toBe(before + 1);
  },
);
