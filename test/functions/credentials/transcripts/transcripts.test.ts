import { describe, expect, test } from 'vitest';
import { findByCode } from '../../../../functions/credentials/items/domain/codes.ts';
import { createTranscript } from '../../../../functions/credentials/transcripts/domain/transcripts.ts';
import { handler as change } from '../../../../functions/credentials/transcripts/endpoints/change-transcript.ts';
import { handler as create } from '../../../../functions/credentials/transcripts/endpoints/create-transcript.ts';
import { handler as getXml } from '../../../../functions/credentials/transcripts/endpoints/get-transcript-xml.ts';
import { call } from '../../../requests/http-event.ts';
import { STUDIES, signed, stored } from '../items/own-items.ts';
import { keyOf, ownTenant } from '../items/own-tenant.ts';

const ROOTS = [
  ['Partial', 'DocumentoHistoricoEscolarParcial'],
  ['Final', 'DocumentoHistoricoEscolarFinal'],
  ['SecondCopyBornPhysical', 'DocumentoHistoricoEscolarSegundaViaNatoFisico'],
] as const;

const tenant = await ownTenant({ emecCode: '4321' });
const headers = await keyOf(tenant);
const request = { ...STUDIES, instituteId: tenant.institute.id };
const post = (json: object) => call(create, { headers, json: { ...request, ...json } });
const upload = (root: string) => [
  { name: 'transcript', content: Buffer.from(`<${root}/>`).toString('base64') },
];

describe('an academic transcript', () => {
  test.each(ROOTS)('of type %s has the root %s', async (type, root) => {
    const made = await post({ type });
    const { id } = made.json() as { id: string };
    expect([made.status, made.json()]).toMatchObject([
      201,
      { type, status: 'Created', issuingIes: tenant.institute.name },
    ]);
    const xml = await call(getXml, { headers, params: { id, name: 'transcript' } });
    expect(xml.text).toContain(`<${root}>`);
  });

  test.each(ROOTS)("of type %s takes the client's file only with the root %s", async (type, root) => {
    for (const [, each] of ROOTS) {
      const made = await post({ type, files: upload(each) });
      expect([each, made.status]).toEqual([each, each === root ? 201 : 422]);
      if (each !== root)
        expect(made.json()).toMatchObject({ code: 'InvalidXml', details: { file: 'transcript' } });
    }
  });

  test('of no type, or of another, is refused', async () => {
    for (const json of [{}, { type: 'partial' }, { type: 'Complete' }])
      expect((await post(json)).json()).toMatchObject({ code: 'InvalidFields' });
  });

  test('has a code by which anybody finds it', async () => {
    const { verificationCode, id } = (await post({ type: 'Final' })).json() as Record<string, string>;
    expect(verificationCode).toMatch(/^4321\.4321\.[0-9a-f]{16}$/);
    expect(await findByCode(String(verificationCode))).toMatchObject({ kind: 'transcript', id });
  });

  test('is of an organization that issues, with signers', async () => {
    const registrar = await ownTenant({ kinds: ['Registradora'] });
    const nobody = await ownTenant({ signers: [] });
    for (const [{ caller, institute }, code] of [
      [registrar, 'OrganizationKindMismatch'],
      [nobody, 'SignersRequired'],
      [{ ...registrar, institute: tenant.institute }, 'InstituteNotFound'],
    ] as const) {
      const made = createTranscript(
        caller,
        { ...STUDIES, type: 'Final', instituteId: institute.id },
        Date.now(),
      );
      await expect(made).rejects.toMatchObject({ code });
    }
  });

  test('is suspended, restored and canceled, each with a reason, where it can follow', async () => {
    const item = await createTranscript(tenant.caller, { ...request, type: 'Final' }, Date.now());
    const to = async (event: string, reason = event) => {
      const answer = await call(change, { headers, params: { id: item.id, event }, json: { reason } });
      return [answer.status, answer.json()];
    };
    expect(await to('restored')).toMatchObject([
      422,
      { code: 'InvalidStatus', details: { status: 'Created', event: 'restored' } },
    ]);
    await signed(item);
    expect(await to('canceledTemporarily', '')).toMatchObject([422, { code: 'InvalidFields' }]);
    expect(await to('canceledTemporarily')).toMatchObject([200, { status: 'CanceledTemporarily' }]);
    expect(await to('restored')).toMatchObject([200, { status: 'Concluded', reason: 'restored' }]);
    expect(await to('canceled')).toMatchObject([200, { status: 'Canceled', reason: 'canceled' }]);
    expect(await to('restored')).toMatchObject([422, { details: { status: 'Canceled' } }]);
    expect((await stored(item)).lastEvents).toEqual({ AcademicTranscript: 'canceled' });
  });
});
