import { describe, expect, test, vi } from 'vitest';
import { handler as startEarlier } from '../../../../functions/pki/earlier/endpoints/start-pades-signature.ts';
import { handler as startEarlierV2 } from '../../../../functions/pki/earlier/endpoints/start-pades-signature-v2.ts';
import { handler as submitEarlier } from '../../../../functions/pki/earlier/endpoints/submit-pades-signature.ts';
import { MarkedFileModel, StampedFileModel } from '../../../../functions/pki/pdf/contract/marks.ts';
import { VisualPositioningModel } from '../../../../functions/pki/pdf/contract/presets.ts';
import { handler as addMarks } from '../../../../functions/pki/pdf/endpoints/add-pdf-marks.ts';
import { handler as bottomUp } from '../../../../functions/pki/pdf/endpoints/get-footnote-bottom-up-preset.ts';
import { handler as footnote } from '../../../../functions/pki/pdf/endpoints/get-footnote-preset.ts';
import { handler as newPage } from '../../../../functions/pki/pdf/endpoints/get-new-page-preset.ts';
import { handler as stampPdf } from '../../../../functions/pki/pdf/endpoints/stamp-pdf.ts';
import { SANDBOX_CONTEXT } from '../../../../functions/sandbox/sandbox-data.ts';
import { verifyPdf } from '../../../../shared/signing/pades/verify/verify-pdf.ts';
import { forFile } from '../../../runner/for-file.ts';
import { pngOf } from '../../../shared/signing/pades/appearance/png.ts';
import { plainPdf, throughQpdf } from '../../../shared/signing/pades/documents.ts';
import { missingTools, openJudges } from '../../../shared/signing/pades/judges.ts';
import { ask, authenticationStage, offerOf } from '../authentication/stage.ts';
import { base64, bytesOf, inJson, preparing, signed, verifiers } from '../signatures/stage.ts';

const stage = await forFile(authenticationStage());
const by = verifiers(stage);
const ana = stage.holder();
const people = [ana, stage.holderWith('rsa2048'), stage.holderWith('p256'), stage.holderWith('p384')];
const judges = missingTools().length ? undefined : openJudges(stage.holder('root').certificate, '-no-ocsp');
const pdf = await plainPdf('table');

type Fields = Readonly<Record<string, unknown>>;

const image = { content: base64(pngOf({ kind: 2, bits: 8 }, 2, Array(2).fill(Array(6).fill(0x99)))) };
const manual = { left: 2, bottom: 2, width: 7, height: 3 };
const LOOK = {
  position: { pageNumber: -1, manual },
  text: { text: 'Assinado por {{name}} ({{national_id}})', includeSigningTime: true },
  image: { resource: { ...image, mimeType: 'image/png' }, opacity: 50, horizontalAlign: 'Right' },
};

const bytesIn = (text: unknown): Buffer => Buffer.from(String(text), 'base64');
const shownOn = (bytes: Buffer, page: number): string =>
  judges?.text(bytes, page).replace(/\s+/g, ' ') ?? 'SANDBOX HOLDER 52998224725 Minuta';

async function expectValid(bytes: Buffer, count: number): Promise<void> {
  expect(await verifyPdf(bytes, by.context)).toMatchObject({ valid: true, signatures: { length: count } });
  expect(by.pdfsig(bytes)).toEqual(Array(count).fill('Signature is Valid.'));
}

describe('a signature by API with a look', () => {
  const NULLS = {
    position: { pageNumber: 1, measurementUnits: null, pageOptimization: null, manual, auto: null },
    text: { text: 'x', fontSize: null, includeSigningTime: null, horizontalAlign: null, container: null },
    image: {
      resource: { url: null, ...image, mimeType: null },
      opacity: null,
      horizontalAlign: null,
      verticalAlign: null,
    },
  };

  test.each<[string, Fields]>([
    ['all of it', LOOK],
    ['text alone', { position: LOOK.position, text: { text: '{{name}} 52998224725' }, image: null }],
    ['every optional field null', { ...NULLS, text: { ...NULLS.text, text: '{{name}} 52998224725' } }],
    [
      'every field of a typed client',
      {
        position: {
          ...{
            pageNumber: 1,
            measurementUnits: 'PdfPoints',
            manual: { left: 50, width: 300, top: 50, height: 80 },
          },
          pageOptimization: { paperSize: 'Letter', customPaperSize: null, pageOrientation: 'Auto' },
        },
        text: {
          ...{ text: '{{subject_cn}} {{br_cpf}}', fontSize: 11.5, includeSigningTime: false },
          ...{ horizontalAlign: 'Right', container: { left: 5, right: 5, top: 5, bottom: 5 } },
        },
        image: { ...LOOK.image, opacity: 100, horizontalAlign: 'Center', verticalAlign: 'Top' },
      },
    ],
  ])('shows %s, and is valid', async (_, visualRepresentation) => {
    const options = { pdfSignatureOptions: { visualRepresentation, measurementUnits: 'Centimeters' } };
    const bytes = await bytesOf(await signed(ana, { file: inJson(pdf), ...options }));
    await expectValid(bytes, 1);
    const shown = shownOn(bytes, visualRepresentation === LOOK ? 2 : 1) + shownOn(bytes, 2);
    expect(shown).toContain('52998224725');
  });

  const at = (position: Fields, rest: Fields = {}) => ({
    ...LOOK,
    position: { pageNumber: 1, ...position },
    ...rest,
  });
  const auto = { container: { width: 6, height: 3 }, signatureRectangleSize: { width: 6, height: 3 } };

  test.each<[string, Fields, number, Fields]>([
    ['without a position', { text: LOOK.text }, 400, {}],
    ['without a page', { ...LOOK, position: { manual } }, 400, {}],
    ['nowhere', at({}), 422, { code: 'PadesPositionNotFilled' }],
    ['in two ways', at({ manual, auto }), 422, { code: 'InvalidVisualRepresentation' }],
    ['with nothing in it', { position: LOOK.position }, 422, { code: 'InvalidVisualRepresentation' }],
    ['on page 3 of 2', at({ pageNumber: 3, manual }), 422, { code: 'InvalidPage' }],
    ['on page -3 of 2', at({ pageNumber: -3, manual }), 422, { code: 'InvalidPage' }],
    [
      'by three lengths',
      at({ manual: { ...manual, right: 2 } }),
      422,
      { code: 'InvalidVisualRepresentation' },
    ],
    ['by one margin', at({ manual: { left: 2 } }), 422, { code: 'InvalidVisualRepresentation' }],
    [
      'beside the page',
      at({ manual: { ...manual, left: 40 } }),
      422,
      { code: 'InvalidVisualRepresentation' },
    ],
    ['by a negative length', at({ manual: { ...manual, left: -1 } }), 400, {}],
    ['in another unit', at({ manual, measurementUnits: 'Inches' }), 400, {}],
    [
      'in letters of no size',
      at({ manual }, { text: { text: 'x', fontSize: 0 } }),
      422,
      { code: 'FontSizeZero' },
    ],
    [
      'with an unknown tag',
      at({ manual }, { text: { text: '{{name}} {{age}}' } }),
      422,
      { code: 'InvalidVisualRepresentation', details: { reason: expect.stringContaining('age') } },
    ],
    [
      'with an image that is none',
      at({ manual }, { image: { resource: { content: base64('GIF89a') } } }),
      422,
      { code: 'InvalidVisualRepresentation', details: { reason: 'image-unreadable' } },
    ],
    [
      'with an image that is too large',
      at({ manual }, { image: { resource: { content: base64(Buffer.alloc(2_100_000)) } } }),
      422,
      { code: 'InvalidVisualRepresentation', details: { limitBytes: '2097152' } },
    ],
    [
      'with an image in two places',
      at({ manual }, { image: { resource: { ...image, url: 'https://a.example' } } }),
      400,
      {},
    ],
    [
      'with an image at an address that nobody may call',
      at({ manual }, { image: { resource: { url: 'ftp://a.example/x.png' } } }),
      422,
      { code: 'FileDownloadFailed' },
    ],
    [
      'with what the contract does not have',
      at({ manual }, { text: { text: 'x', customFont: 'Arial' } }),
      422,
      { code: 'OptionNotSupported', details: { option: 'customFont' } },
    ],
  ])('is refused %s', async (_, visualRepresentation, status, body) => {
    const answer = await preparing(ana, { file: inJson(pdf), pdfSignatureOptions: { visualRepresentation } });
    expect(answer).toMatchObject({ status, ...body });
  });

  test('in a container that is full is refused by name', async () => {
    const look = { pdfSignatureOptions: { visualRepresentation: at({ auto }) } };
    const first = await bytesOf(await signed(ana, { file: inJson(pdf), ...look }));
    expect(await preparing(ana, { file: inJson(first), ...look })).toMatchObject({
      ...{ status: 422, code: 'InvalidVisualRepresentation', details: { reason: 'no-place-left' } },
    });
  });
});

describe('a preset', () => {
  const getting = async (preset: typeof footnote, query: Record<string, string> = {}) => {
    const { status, ...model } = await ask(preset, undefined, { method: 'GET', query });
    expect([status, VisualPositioningModel.parse(model)]).toEqual([200, model]);
    return VisualPositioningModel.parse(model);
  };

  test('has the page and the rows that are asked for', async () => {
    expect(await getting(footnote)).toMatchObject({ pageNumber: -1, auto: { container: { height: 2.5 } } });
    expect(await getting(footnote, { pageNumber: '2', rows: '3' })).toMatchObject({
      ...{ pageNumber: 2, auto: { container: { height: 8.5 }, verticalDirection: 'TopDown' } },
    });
    expect(await getting(footnote, { pageNumber: 'null', rows: '' })).toMatchObject({ pageNumber: -1 });
    expect(await getting(bottomUp, { pageNumber: '1' })).toMatchObject({
      ...{ pageNumber: 1, auto: { container: { top: 1.5, height: null }, verticalDirection: 'BottomUp' } },
    });
    expect(await getting(newPage)).toMatchObject({ pageNumber: 0 });
    for (const query of [{ rows: '0' }, { rows: '11' }, { pageNumber: 'last' }] as Record<string, string>[])
      expect(await ask(footnote, undefined, { method: 'GET', query })).toMatchObject({ status: 400 });
  });

  test.each([
    ['Footnote', footnote, 2],
    ['FootnoteBottomUp', bottomUp, 2],
    ['NewPage', newPage, 3],
  ] as const)('%s has room for several signers in turn', async (_, preset, page) => {
    const position = await getting(preset);
    let bytes = pdf;
    for (const person of people.slice(0, 3)) {
      const pdfSignatureOptions = {
        visualRepresentation: { position, text: { text: 'Visto {{br_cpf_masked}}' } },
      };
      bytes = await bytesOf(await signed(person, { file: inJson(bytes), pdfSignatureOptions }));
    }
    await expectValid(bytes, 3);
    if (judges) expect(shownOn(bytes, page).match(/Visto/g)).toHaveLength(3);
  });
});

const MARKS = [
  {
    container: { left: 2, right: 2, bottom: 1, height: 2 },
    borderWidth: 1,
    backgroundColor: { red: 255, green: 255, blue: 255, alpha: 0 },
    elements: [
      {
        elementType: 'Text',
        textSections: [
          { text: 'Minuta ', style: 'Bold', color: { red: 200, green: 0, blue: 0 }, fontSize: 14 },
          { text: 'nº 7', style: null, color: null, fontSize: null },
        ],
      },
      { elementType: 'QRCode', qrCodeData: 'https://a.example', qrCodeDrawQuietZones: true, align: 'Right' },
      { elementType: 'Image', image: { resource: image }, opacity: 20, rotation: 90 },
    ],
  },
];

describe('marks', () => {
  const file = { content: base64(pdf) };
  const marking = (request: Fields) => ask(addMarks, { marks: MARKS, ...request });

  test.each<[string, Fields, number[]]>([
    ['every page', { pageOption: null }, [1, 2]],
    ['one page', { pageOption: 'SinglePage', pageOptionNumber: 2 }, [2]],
    ['one page from the end', { pageOption: 'SinglePageFromEnd', pageOptionNumber: 2 }, [1]],
    ['a new page', { pageOption: 'NewPage' }, [3]],
  ])('are drawn into %s, which can then be signed', async (_, option, pages) => {
    const { status, ...answer } = await marking({
      file,
      marks: MARKS.map((mark) => ({ ...mark, ...option })),
    });
    expect(status).toBe(200);
    const marked = bytesIn(MarkedFileModel.parse(answer).file.content);
    expect(marked.subarray(0, pdf.length).equals(pdf)).toBe(true);
    const bytes = await bytesOf(await signed(ana, { file: inJson(marked) }));
    await expectValid(bytes, 1);
    const all = pages.includes(3) ? [1, 2, 3] : [1, 2];
    for (const page of judges ? all : [])
      expect(shownOn(bytes, page).includes('Minuta nº 7')).toBe(pages.includes(page));
  });

  test('are answered as an upload and a link where that is asked for', async () => {
    const options = {
      ...{
        abortIfSigned: true,
        measurementUnits: 'Centimeters',
        pageOptimization: null,
        forceBlobResult: true,
      },
      preserveSignaturesVisualRepresentation: true,
    };
    const answer = MarkedFileModel.parse(await marking({ file, ...options }));
    expect(answer.file).toMatchObject({ content: null, url: expect.stringMatching(/^http/) });
    const again = await marking({ file: { blobToken: answer.file.blobToken }, marks: [] });
    expect(bytesIn(MarkedFileModel.parse(again).file.content).subarray(0, pdf.length).equals(pdf)).toBe(true);
  });

  const element = (fields: Fields) => [{ elements: [fields] }];

  test.each<[string, () => Promise<Fields>, number, Fields]>([
    ['what is no PDF', async () => ({ file: { content: base64('text') } }), 422, { code: 'InvalidPdf' }],
    [
      'no page',
      async () => ({ file, marks: [{ ...MARKS[0], pageOption: 'SinglePage', pageOptionNumber: 9 }] }),
      422,
      { code: 'InvalidPage' },
    ],
    [
      'page 0',
      async () => ({ file, marks: [{ ...MARKS[0], pageOption: 'SinglePageFromEnd', pageOptionNumber: 0 }] }),
      422,
      { code: 'InvalidPage' },
    ],
    [
      'nothing',
      async () => ({ file, marks: element({ elementType: 'QRCode' }) }),
      422,
      { code: 'CannotApplyPdfMarks' },
    ],
    ['another type', async () => ({ file, marks: element({ elementType: 'Video' }) }), 400, {}],
    [
      'letters of no size',
      async () => ({
        file,
        marks: element({ elementType: 'Text', textSections: [{ text: 'x', fontSize: 0 }] }),
      }),
      422,
      { code: 'FontSizeZero' },
    ],
    [
      'an image that is none',
      async () => ({
        file,
        marks: element({ elementType: 'Image', image: { resource: { content: 'AAAA' } } }),
      }),
      422,
      { code: 'CannotApplyPdfMarks' },
    ],
    [
      'a container without room',
      async () => ({ file, marks: [{ ...MARKS[0], container: { left: 20, right: 20 } }] }),
      422,
      { code: 'CannotApplyPdfMarks' },
    ],
    [
      'a signed PDF',
      async () => ({
        file: inJson(await bytesOf(await signed(ana, { file: inJson(pdf) }))),
        abortIfSigned: false,
      }),
      422,
      { code: 'CannotApplyPdfMarks', details: { reason: 'already-signed' } },
    ],
    [
      'a PDF with a password',
      async () => ({ file: inJson(throughQpdf(pdf, '--encrypt', 'user', 'owner', '256', '--')) }),
      422,
      { code: 'ProtectedPdfError' },
    ],
  ])('of %s are refused', async (_, request, status, body) => {
    expect(await marking(await request())).toMatchObject({ status, ...body });
  });
});

describe('a start of the earlier generation', () => {
  const POLICY = '78d20b33-014d-440e-ad07-929f05d00cdf';
  const starting = (request: Fields, endpoint = startEarlier) =>
    ask(endpoint, {
      ...{
        certificate: base64(ana.certificate.der),
        securityContextId: SANDBOX_CONTEXT,
        signaturePolicyId: POLICY,
      },
      ...request,
    });
  async function completed(request: Fields, endpoint = startEarlier): Promise<Buffer> {
    const { token, toSignData, ...start } = await starting(request, endpoint);
    expect(start).toMatchObject({ status: 200 });
    const { signature } = offerOf(ana, toSignData);
    return bytesIn((await ask(submitEarlier, { signature }, { params: { token: String(token) } })).signedPdf);
  }

  test('draws the look and the marks', async () => {
    const asked = {
      ...{
        visualRepresentation: LOOK,
        pdfMarks: MARKS,
        bypassMarksIfSigned: true,
        measurementUnits: 'Centimeters',
      },
      certificationLevel: 'CertifiedFormFilling',
    };
    const bytes = await completed({ pdfToSign: base64(pdf), ...asked });
    await expectValid(bytes, 1);
    expect(shownOn(bytes, 2)).toMatch(/52998224725.*Minuta|Minuta.*52998224725/);
    const again = await completed({ pdfToSign: { content: base64(pdf) }, ...asked }, startEarlierV2);
    await expectValid(again, 1);
  });

  test('leaves a signed PDF without marks, or refuses it', async () => {
    const first = base64(await completed({ pdfToSign: base64(pdf) }));
    const bytes = await completed({ pdfToSign: first, pdfMarks: MARKS, bypassMarksIfSigned: true });
    await expectValid(bytes, 2);
    expect(await starting({ pdfToSign: first, pdfMarks: MARKS })).toMatchObject({
      code: 'CannotApplyPdfMarks',
    });
  });
});

describe('a timestamp over a PDF', () => {
  const stamping = (request: Fields) => ask(stampPdf, request);

  test('leaves the signature valid that certified the PDF against every change', async () => {
    vi.stubEnv('Signatures__TimestampAuthorities', stage.timestampUrl);
    const { token, toSignData } = await ask(startEarlier, {
      ...{
        certificate: base64(ana.certificate.der),
        securityContextId: SANDBOX_CONTEXT,
        pdfToSign: base64(pdf),
      },
      signaturePolicyId: '78d20b33-014d-440e-ad07-929f05d00cdf',
      certificationLevel: 'CertifiedNoChangesAllowed',
    });
    const { signature } = offerOf(ana, toSignData);
    const { signedPdf } = await ask(submitEarlier, { signature }, { params: { token: String(token) } });
    const options = { customSignatureFieldName: 'Carimbo', reason: 'Arquivo', timestampTier: null };
    const { status, ...answer } = await stamping({ file: { content: signedPdf, name: 'a.pdf' }, ...options });
    expect([status, StampedFileModel.parse(answer)]).toEqual([200, answer]);
    const bytes = bytesIn(StampedFileModel.parse(answer).file.content);
    const report = await verifyPdf(bytes, by.context);
    expect(report).toMatchObject({ valid: true, signatures: [{}, { field: 'Carimbo' }] });
    expect(by.pdfsig(bytes)[0]).toBe('Signature is Valid.');
    const blob = await stamping({ file: { content: base64(pdf) }, forceBlobResult: true });
    expect(StampedFileModel.parse({ file: blob.file }).file).toMatchObject({ content: null });
    vi.stubEnv('Signatures__TimestampAuthorities', undefined);
  });

  test.each<[string, Fields, Fields]>([
    ['without an authority', {}, { code: 'TimestampingUnavailable' }],
    ['of what is no PDF', { file: { content: base64('text') } }, { code: 'InvalidPdf' }],
    [
      'that is shown',
      { visualRepresentation: LOOK },
      { code: 'OptionNotSupported', details: { option: 'visualRepresentation' } },
    ],
    ['of a tier', { timestampTier: 'Gold' }, { code: 'OptionNotSupported' }],
  ])('is refused %s', async (_, request, body) => {
    expect(await stamping({ file: { content: base64(pdf) }, ...request })).toMatchObject({
      status: 422,
      ...body,
    });
  });
});
