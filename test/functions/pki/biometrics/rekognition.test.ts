import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { biometricProvider } from '../../../../functions/pki/biometrics/domain/providers/choose-provider.ts';
import { ProviderFailure } from '../../../../functions/pki/biometrics/domain/providers/provider.ts';
import { checkProvider } from '../../../../functions/pki/settings.ts';
import { application, told, visitor } from './calls.ts';
import { ANSWERS, FACE, failing, serveRekognition } from './rekognition-server.ts';
import { anApplication } from './stage.ts';

const MODULE = 'https://liveness.example/client.js';
const CAPTURE = '0a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
const DOCUMENT = Buffer.from('the picture of a document');

const service = await serveRekognition();
vi.stubEnv('AWS_ENDPOINT_URL_REKOGNITION', service.url);
vi.stubEnv('Biometrics__Provider', 'Rekognition');
vi.stubEnv('Biometrics__CaptureModule', MODULE);
vi.stubEnv('Biometrics__Region', 'eu-west-1');
beforeEach(() => {
  service.asked.length = 0;
  service.answers = () => undefined;
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await service.stop();
});

const operations = () => service.asked.map(({ operation }) => operation);
const answering = (wanted: string, answer: ReturnType<typeof failing>) => {
  service.answers = ({ operation }) => (operation === wanted ? answer : undefined);
};
const results = (more: object) =>
  answering('GetFaceLivenessSessionResults', {
    body: { ...ANSWERS.GetFaceLivenessSessionResults?.body, ...more },
  } as ReturnType<typeof failing>);

describe('Rekognition Face Liveness', () => {
  test('begins a session that the operator’s module captures for', async () => {
    const { capture, how } = await (await biometricProvider()).begin({ subject: null });
    expect(capture).toBe(CAPTURE);
    expect(how).toEqual({ kind: 'module', module: MODULE, sessionId: CAPTURE, region: 'eu-west-1' });
  });

  test.each([
    [{}, 'live'],
    [{ Confidence: 89.9 }, 'notLive'],
    [{ Confidence: undefined }, 'notLive'],
    [{ Status: 'FAILED' }, 'captureFailed'],
    [{ Status: 'EXPIRED' }, 'captureFailed'],
    [{ Status: 'IN_PROGRESS', Confidence: 99 }, 'captureFailed'],
  ])('of a result with %o says %s', async (more, verdict) => {
    results(more);
    expect(await (await biometricProvider()).judge(CAPTURE, { frames: [] })).toEqual({ verdict });
  });

  test('compares the face with that of a document', async () => {
    const provider = await biometricProvider();
    const judged = () => provider.judge(CAPTURE, { frames: [], document: DOCUMENT });
    expect(await judged()).toEqual({ verdict: 'live', document: { matchedFace: true, level: 99 } });
    expect(service.asked.at(-1)?.input).toMatchObject({
      SourceImage: { Bytes: FACE.toString('base64') },
      TargetImage: { Bytes: DOCUMENT.toString('base64') },
    });
    answering('CompareFaces', {
      body: { FaceMatches: [{ Similarity: 40.4 }], UnmatchedFaces: [] },
      status: 200,
    });
    expect(await judged()).toEqual({ verdict: 'otherPerson', document: { matchedFace: false, level: 40 } });
    answering('CompareFaces', { body: { FaceMatches: [], UnmatchedFaces: [{}] }, status: 200 });
    expect(await judged()).toEqual({ verdict: 'otherPerson', document: { matchedFace: false, level: 0 } });
    answering('CompareFaces', failing('InvalidParameterException'));
    expect(await judged()).toEqual({ verdict: 'noDocument' });
  });

  test('searches and keeps a face in the collection of the application, which it makes when there is none', async () => {
    const provider = await biometricProvider();
    let exists = false;
    service.answers = ({ operation }) => {
      if (operation === 'CreateCollection') exists = true;
      const needsOne = operation === 'SearchFacesByImage' || operation === 'IndexFaces';
      return needsOne && !exists ? failing('ResourceNotFoundException') : undefined;
    };
    expect(await provider.search(CAPTURE, 'acme')).toEqual([]);
    const subjectId = randomUUID();
    expect(await provider.enrol(CAPTURE, 'acme', subjectId)).toBe('11e2a1b0-5a0f-4d3e-9a6e-0c3b2d1e4f5a');
    expect(service.asked.at(-1)?.input).toMatchObject({
      CollectionId: 'sinete-local-pki-acme',
      ExternalImageId: subjectId,
      Image: { Bytes: FACE.toString('base64') },
      MaxFaces: 1,
    });
    expect(operations().filter((each) => each === 'CreateCollection')).toHaveLength(1);
  });

  test('gives the subjects that a face is of', async () => {
    const subjectId = randomUUID();
    answering('SearchFacesByImage', {
      status: 200,
      body: { FaceMatches: [{ Similarity: 99.9, Face: { FaceId: 'f', ExternalImageId: subjectId } }] },
    });
    expect(await (await biometricProvider()).search(CAPTURE, 'acme')).toEqual([subjectId]);
  });

  test('tells a face that is not good enough from a service that fails', async () => {
    const provider = await biometricProvider();
    answering('IndexFaces', {
      status: 200,
      body: { FaceRecords: [], UnindexedFaces: [{ Reasons: ['LOW_SHARPNESS'] }] },
    });
    expect(await provider.enrol(CAPTURE, 'acme', randomUUID())).toBe('noFace');
    answering('SearchFacesByImage', failing('InvalidParameterException', 'There are no faces in the image.'));
    expect(await provider.search(CAPTURE, 'acme')).toBe('noFace');
    answering('SearchFacesByImage', failing('AccessDeniedException'));
    await expect(provider.search(CAPTURE, 'acme')).rejects.toBeInstanceOf(ProviderFailure);
    results({ ReferenceImage: undefined });
    await expect(provider.enrol(CAPTURE, 'acme', randomUUID())).rejects.toBeInstanceOf(ProviderFailure);
  });

  test('lists all pages of a collection, and deletes a face of it', async () => {
    service.answers = ({ operation, input }) =>
      operation === 'ListFaces'
        ? {
            body: input.NextToken
              ? { Faces: [{ FaceId: 'b', ExternalImageId: '2' }] }
              : { Faces: [{ FaceId: 'a', ExternalImageId: '1' }], NextToken: 'more' },
          }
        : undefined;
    const provider = await biometricProvider();
    expect(await provider.list('acme')).toEqual([
      { face: 'a', subjectId: '1' },
      { face: 'b', subjectId: '2' },
    ]);
    await provider.forget('acme', 'a');
    expect(service.asked.at(-1)).toMatchObject({
      operation: 'DeleteFaces',
      input: { CollectionId: 'sinete-local-pki-acme', FaceIds: ['a'] },
    });
  });
});

describe('a session with Rekognition', () => {
  test('enrols without a picture ever passing through the page’s calls', async () => {
    const app = application(await anApplication());
    const person = visitor(await app.start('enrollment'));
    expect((await person.begin()).json()).toMatchObject({ capture: { kind: 'module', sessionId: CAPTURE } });
    expect((await person.submit({})).json()).toMatchObject({ outcome: 'passed' });
    expect((await app.complete('enrollment', await person.ticket())).json()).toMatchObject({ success: true });
  });

  test('lets the page load the module and reach the stream, and nothing else', async () => {
    const app = application(await anApplication());
    const policy = String(
      (await visitor(await app.start('liveness')).page()).headers['content-security-policy'],
    );
    expect(policy).toContain("script-src 'self' https://liveness.example 'wasm-unsafe-eval';");
    expect(policy).toContain('wss://streaming-rekognition.eu-west-1.amazonaws.com');
    vi.stubEnv('Biometrics__Provider', 'None');
    vi.stubEnv('Biometrics__Provider', 'Http');
    vi.stubEnv('Biometrics__ProviderUrl', 'http://127.0.0.1:1');
    const plain = String(
      (await visitor(await app.start('liveness')).page()).headers['content-security-policy'],
    );
    expect(plain).toContain("script-src 'self'; connect-src 'self';");
    vi.stubEnv('Biometrics__Provider', 'Rekognition');
  });

  test('is refused in words that name no cause when the service fails', async () => {
    answering('CreateFaceLivenessSession', failing('AccessDeniedException', 'User: arn:aws:iam::1:role/x'));
    const app = application(await anApplication());
    const answer = await visitor(await app.start('liveness')).begin();
    expect(told(answer)).toEqual([422, 'BiometricProviderUnavailable']);
    expect(answer.text).not.toContain('arn:');
  });
});

test('a provider that is named without what it needs stops the start', () => {
  const chosen = (provider: string) => ({
    'Biometrics:Provider': provider,
    'Biometrics:ProviderUrl': undefined,
    'Biometrics:CaptureModule': undefined,
  });
  expect(checkProvider(chosen('Rekognition'))).toContain('Biometrics:CaptureModule is not set');
  expect(checkProvider(chosen('Http'))).toContain('Biometrics:ProviderUrl is not set');
  expect(checkProvider(chosen('None'))).toBeUndefined();
});
