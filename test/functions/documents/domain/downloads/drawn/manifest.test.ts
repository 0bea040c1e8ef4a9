import jsQr from 'jsqr';
import { describe, expect, test } from 'vitest';
import type { Document } from '../../../../../../functions/documents/domain/document/document.ts';
import { draw } from '../../../../../../functions/documents/domain/downloads/drawn/draw.ts';
import { manifestOf } from '../../../../../../functions/documents/domain/downloads/manifest.ts';
import { canReadPdfs, complaintsOf, imageOf, pagesOf } from '../../../pdf-reader.ts';
import { action, approvedBy, done, person, SIGNED_AT_MS, signedBy } from '../../../sample-flow.ts';
import { documentWith, SHA256 } from './originals.ts';

const drawn = (document: Document, note?: string) =>
  draw({
    kind: 'manifest',
    manifest: manifestOf(document, {
      sha256: SHA256,
      organizationName: 'Ação & Cia',
      nowMs: SIGNED_AT_MS,
      chain: [],
      ...(note && { note }),
    }),
    title: document.name,
    atMs: SIGNED_AT_MS,
  });
const pages = async (document: Document, note?: string) => pagesOf(await drawn(document, note));
const oneText = async (document: Document, note?: string) =>
  (await pages(document, note)).join('\n').replace(/\s+/g, ' ');

describe.skipIf(!canReadPdfs())('a manifest', () => {
  test('names the document, its id, its file, its hash, its organization and its status', async () => {
    const text = await oneText(documentWith([signedBy('Maria')], { state: 'Concluded' }));
    for (const said of [
      'Manifesto de assinaturas',
      'Contrato de prestação de serviços nº 12',
      '3f0c2c5e-6a0b-4a9e-9d1e-0b7f5c1c2d3e',
      'contrato.pdf',
      SHA256,
      'Ação & Cia',
      'Concluído',
      'Página 1 de 1',
    ])
      expect(text).toContain(said);
  });

  test('tells of a signature who, the CPF masked, when in Brasília, and who issued the certificate', async () => {
    const text = await oneText(documentWith([signedBy('Maria Conceição Müller')]));
    expect(text).toContain('Maria Conceição Müller Assinatura digital');
    expect(text).toContain('CPF ***.982.247-**');
    expect(text).toContain('15/11/2026, 02:03:11 (Brasília)');
    expect(text).toContain('Certificado emitido por AC SINETE, SANDBOX v5');
    expect(text).not.toContain('529');
  });

  test('names the holder of the certificate, and the name in the flow beside it where it is another', async () => {
    const signer = person('Zé Ninguém', '47363361886');
    const completion = (subject: string) => ({
      ...done(signer),
      certificate: { subject, issuer: 'CN=AC', sha256: 'ab'.repeat(32) },
    });
    const textFor = (subject: string) =>
      oneText(documentWith([action([signer], { state: 'Completed', completions: [completion(subject)] })]));
    const other = await textFor('CN=ANA PRADO 47363361886:47363361886,OU=Pessoa Fisica A3,O=ICP-Brasil,C=BR');
    expect(other).toContain('ANA PRADO ***.633.618-** Assinatura digital');
    expect(other).toContain('Nome no fluxo: Zé Ninguém');
    expect(other).not.toContain('47363361886');
    const same = await textFor('CN=ZE  NINGUEM:47363361886,O=ICP-Brasil,C=BR');
    expect(same).toContain('Zé Ninguém Assinatura digital');
    expect(same).not.toContain('Nome no fluxo');
  });

  test('tells of an approval, which has no certificate', async () => {
    const text = await oneText(documentWith([approvedBy('João')]));
    expect(text).toContain('João Aprovação');
    expect(text).not.toContain('Certificado');
  });

  test('tells who is still awaited, and who comes later', async () => {
    const flow = [action([person('Ana')]), action([person('Zoé')], { step: 2, state: 'Created' })];
    const text = await oneText(documentWith(flow, { signed: null }));
    expect(text).toContain('Ana Assinatura pendente');
    expect(text).toContain('Zoé Assinatura futura');
    expect(text).toContain('O documento não tem assinatura digital até este momento.');
  });

  test('tells of a rule who acted, and of whom how many are missing', async () => {
    const [ana, jose, rui] = [person('Ana'), person('José'), person('Rui')];
    const rule = action([ana, jose, rui], {
      type: 'SignRule',
      ruleName: 'Diretoria',
      required: 2,
      completions: [done(ana)],
    });
    const text = await oneText(documentWith([rule]));
    expect(text).toContain('Ana Assinatura digital');
    expect(text).toContain('José ou Rui Assinatura pendente');
    expect(text).toContain('Diretoria 1 de 2 assinaturas');
  });

  test('leads to the page that verifies the document, by a code and by one that a camera reads', async () => {
    const bytes = await drawn(documentWith([signedBy('Maria')]));
    expect((await oneText(documentWith([signedBy('Maria')]))).includes('7FQ2M-9XKD4-TB3WR-8HJ5C')).toBe(true);
    const { width, height, gray } = imageOf(bytes, 1, 150);
    const pixels = Uint8ClampedArray.from({ length: width * height * 4 }, (_, at) =>
      at % 4 === 3 ? 255 : (gray[at >> 2] ?? 255),
    );
    expect(jsQr.default(pixels, width, height)?.data).toBe(
      'http://localhost:3000/documents/verification?code=7FQ2M-9XKD4-TB3WR-8HJ5C',
    );
  });

  test('tells nobody to sign a document that was refused, was canceled or has expired', async () => {
    const flow = [action([person('Ana')]), action([person('Zoé')], { step: 2, state: 'Created' })];
    const past = { expiresAtMs: SIGNED_AT_MS - 1 };
    for (const ended of [{ state: 'Refused' }, { state: 'Canceled' }, { state: 'Expired' }, past] as const) {
      const text = await oneText(documentWith(flow, ended));
      expect(text).toContain('Ana Não é mais necessária');
      expect(text).toContain('Zoé Não é mais necessária');
      expect(text).not.toMatch(/pendente|futura/i);
    }
  });

  test('tells of a refusal its reason, and of an end by somebody else theirs', async () => {
    const refusal = { by: person('Rui'), atMs: SIGNED_AT_MS, reason: 'O valor não é o combinado.' };
    const refused = action([person('Rui')], { state: 'Refused', refusal });
    const ended = { state: 'Canceled', statusUpdateReason: 'Fusão das partes.' } as const;
    const text = await oneText(documentWith([refused], ended));
    expect(text).toContain('Rui Recusa');
    expect(text).toContain('Motivo: O valor não é o combinado.');
    expect(text).toContain('Cancelado');
    expect(text).toContain('Motivo Fusão das partes.');
  });

  test('of a hundred actions goes on over pages, loses none and numbers each', async () => {
    const flow = Array.from({ length: 100 }, (_, n) => signedBy(`Pessoa número ${n};`));
    const all = await pages(documentWith(flow));
    expect(all.length).toBeGreaterThan(5);
    all.forEach((text, index) => {
      expect(text).toContain(`Página ${index + 1} de ${all.length}`);
    });
    const text = all.join('\n');
    for (let n = 0; n < 100; n++) expect(text).toContain(`Pessoa número ${n};`);
  });

  test('shows letters that its fonts lack without their accents, and never fails over one', async () => {
    const text = await oneText(documentWith([signedBy('Łukasz Nguyễn \u{1F600} \u202E\0 名')]));
    expect(text).toContain('Lukasz Nguyen ?');
  });

  test('keeps the longest names and titles on the page', async () => {
    const flow = [
      signedBy('Ñ'.repeat(200), { title: 'palavra '.repeat(24).trim() }),
      signedBy('W '.repeat(99)),
    ];
    const bytes = await drawn(documentWith(flow, { name: 'x'.repeat(255) }));
    expect(complaintsOf(bytes)).toBe('');
    expect(pagesOf(bytes).join('').match(/Ñ/g)).toHaveLength(200);
    expect(
      pagesOf(bytes)
        .join('')
        .match(/palavra/g),
    ).toHaveLength(24);
  });

  test('says why the pages of the document are not beside it, where that is so', async () => {
    expect(await oneText(documentWith([]), 'O original é grande demais.')).toContain(
      'O original é grande demais.',
    );
  });
});
